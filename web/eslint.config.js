// SPDX-License-Identifier: Apache-2.0
import tseslint from "typescript-eslint";

/** The strict rules with types; format is prettier's, layers are architecture.test.ts's. */
export default tseslint.config(
    { ignores: ["target", "**/*.gen.ts", "**/*.js", "**/*.mjs"] },
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
);
