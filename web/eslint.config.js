// SPDX-License-Identifier: Apache-2.0
import tseslint from "typescript-eslint";

/** Which folders of src each folder may know. The page itself (src/*.tsx) knows all, and no single app. */
const MAY_KNOW = {
    model: [],
    api: [],
    state: ["api", "model"],
    components: ["api", "model", "state"],
    map: ["model", "state", "components"],
    apps: ["api", "model", "state", "components"],
};

/** Attributes of elements and components that a user reads. */
const READ =
    "/^(aria-label|aria-valuetext|alt|title|placeholder|label|heading|hint|about|by|one|many|without|tooBig|endpoint|teid)$/";
const LETTERS = "/[A-Za-z]{2}/";
const WORDS = "User-visible text belongs to strings.ts or strings.tsx of its folder.";
const text = (selector) => ({ selector, message: WORDS });

/** User-visible text outside of the files that hold it. */
const TEXT = [
    text("JSXText[value=/[A-Za-z]/]"),
    text(`JSXAttribute[name.name=${READ}] > Literal[value=${LETTERS}]`),
    text(`JSXAttribute[name.name=${READ}] > JSXExpressionContainer > Literal[value=${LETTERS}]`),
    text(`JSXAttribute[name.name=${READ}] TemplateElement[value.raw=${LETTERS}]`),
    text(`:matches(JSXElement, JSXFragment) > JSXExpressionContainer > Literal[value=${LETTERS}]`),
    text(
        `:matches(JSXElement, JSXFragment) > JSXExpressionContainer > :matches(ConditionalExpression, LogicalExpression) > Literal[value=${LETTERS}]`,
    ),
    text("Literal[value=/[a-z]{2,} [a-z]+ [a-z]{2,}/]:not([value=/^dragpan /])"),
    text("Literal[value=/^[A-Z][a-z]+ [^]*[.?…]$/]"),
    text("TemplateElement[value.raw=/[a-z]{2,} [a-z]+ [a-z]{2,}/]:not([value.raw=/</])"),
];

const LATE = { selector: "ImportExpression, TSImportType", message: "Import at the top, where layers are looked at." };

/** Forbids these files to import what does not match. */
function imports(files, allowed, message) {
    return {
        files,
        ignores: ["**/*.test.ts", "**/*.test.fake.ts"],
        rules: {
            "no-restricted-imports": ["error", { patterns: [{ regex: `^(?!${allowed})`, message }] }],
            "no-restricted-syntax": ["error", LATE, ...TEXT],
        },
    };
}

const LIBRARY = "[^.]";
const known = (folders, up) => folders.map((folder) => `${up}${folder}/`);
const anyOf = (...patterns) => `(?:${patterns.join("|")})`;

const layers = [
    imports(["src/**"], LIBRARY, "eslint.config.js does not say what this folder may know (MAY_KNOW)."),
    imports(
        ["src/*"],
        anyOf(LIBRARY, "\\./(?!apps/)", "\\./apps/app$"),
        "The page finds its apps by src/apps/index.ts.",
    ),
    ...Object.entries(MAY_KNOW)
        .filter(([folder]) => folder !== "apps")
        .map(([folder, others]) =>
            imports(
                [`src/${folder}/*`],
                anyOf("\\./", ...(folder === "model" ? [] : [LIBRARY]), ...known(others, "\\.\\./")),
                `src/${folder} may know ${others.join(", ") || "nothing else"}.`,
            ),
        ),
    imports(
        ["src/apps/*"],
        anyOf(LIBRARY, "\\./app$", ...known(MAY_KNOW.apps, "\\.\\./")),
        "Apps are found by folder.",
    ),
    imports(
        ["src/apps/*/*"],
        anyOf(LIBRARY, "\\./", "\\.\\./app$", ...known(MAY_KNOW.apps, "\\.\\./\\.\\./")),
        `An app may know ${MAY_KNOW.apps.join(", ")}, and no other app.`,
    ),
];

/** The strict rules with types, and the layers; format is prettier's. */
export default tseslint.config(
    { ignores: ["target", "e2e/toy", "**/*.gen.ts", "**/*.js", "**/*.mjs"] },
    ...tseslint.configs.strictTypeChecked,
    {
        languageOptions: { parserOptions: { project: ["./tsconfig.json", "./tsconfig.e2e.json"] } },
        linterOptions: { reportUnusedDisableDirectives: "error" },
        rules: {
            // A number in a text is what is meant; an arrow to a call that returns nothing is how handlers are written.
            "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
            "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
        },
    },
    ...layers,
    { files: ["**/strings.ts", "**/strings.tsx"], rules: { "no-restricted-syntax": ["error", LATE] } },
);
