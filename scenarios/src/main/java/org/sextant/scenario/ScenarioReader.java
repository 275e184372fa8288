// SPDX-License-Identifier: Apache-2.0
package org.sextant.scenario;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.sextant.scenario.Step.Condition;
import org.sextant.scenario.Step.Exit;
import org.sextant.scenario.Step.Requirement;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * Reads a scenario of STC: {@code scenario}, {@code import}, {@code group}, {@code step} and {@code dependency} with
 * {@code exec}, {@code requires}, {@code if}, {@code unless}, {@code env} (only {@code ~} and {@code !}) and
 * {@code delay}. Other elements of STC ({@code parallel}, {@code sequential}) are refused by name: a scenario never runs
 * in part.
 */
public final class ScenarioReader {
    private static final Map<String, Set<String>> ATTRIBUTES = Map.of(
            "scenario", Set.of("name", "description"),
            "import", Set.of("file"),
            "group", Set.of("name", "requires", "if", "unless"),
            "step", Set.of("name", "exec", "env", "requires", "if", "unless", "delay"),
            "dependency", Set.of("name", "requires"));

    private final Map<String, String> variables;
    /** Steps by the name of the step or group. */
    private final Map<String, List<String>> members = new LinkedHashMap<>();

    private final Map<String, Draft> drafts = new LinkedHashMap<>();

    /** A step whose requirements may still name groups. */
    private record Draft(Step step, List<Requirement> requires) {}

    private record Scope(List<String> groups, List<Requirement> requires, List<Condition> conditions, Path folder) {}

    private ScenarioReader(Map<String, String> variables) {
        this.variables = variables;
    }

    /**
     * @param variables the values of {@code ${NAME}} in an import's file
     * @throws IllegalArgumentException naming the file and its fault
     */
    public static Scenario read(Path file, Map<String, String> variables) {
        ScenarioReader reader = new ScenarioReader(variables);
        Element root = reader.root(file);
        reader.children(root, new Scope(List.of(), List.of(), List.of(), folder(file)));
        try {
            return new Scenario(root.getAttribute("name"), root.getAttribute("description"), reader.steps());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file.getFileName() + ": " + e.getMessage(), e);
        }
    }

    private Element root(Path file) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            DocumentBuilder builder = factory.newDocumentBuilder();
            builder.setErrorHandler(new DefaultHandler());
            Element root = builder.parse(file.toFile()).getDocumentElement();
            require(root.getTagName().equals("scenario"), file, "starts with " + root.getTagName() + ", not scenario");
            return root;
        } catch (IOException | SAXException | ParserConfigurationException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    private void children(Element parent, Scope scope) {
        checkAttributes(parent);
        @Nullable String previous = null;
        for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element element) {
                previous = element(element, previous, scope);
            }
        }
    }

    /** Returns the name that {@code ^} in the next element means. */
    private @Nullable String element(Element element, @Nullable String previous, Scope scope) {
        checkAttributes(element);
        String name = element.getAttribute("name");
        switch (element.getTagName()) {
            case "import" -> {
                Path file = scope.folder().resolve(Variables.expand(element.getAttribute("file"), variables));
                children(root(file), new Scope(scope.groups(), scope.requires(), scope.conditions(), folder(file)));
            }
            case "dependency" -> {
                List<Requirement> more = requirements(element, previous);
                require(members.containsKey(name), element, "there is no step or group " + name + " above");
                stepsOf(name).forEach(step -> draft(step).requires().addAll(more));
            }
            case "group" -> {
                require(members.put(name, new ArrayList<>()) == null, element, "there is another " + name);
                children(
                        element,
                        new Scope(
                                with(scope.groups(), List.of(name)),
                                with(scope.requires(), requirements(element, previous)),
                                with(scope.conditions(), conditions(element)),
                                scope.folder()));
                return name;
            }
            default -> {
                step(element, name, previous, scope);
                return name;
            }
        }
        return previous;
    }

    private void step(Element element, String name, @Nullable String previous, Scope scope) {
        require(members.put(name, new ArrayList<>(List.of(name))) == null, element, "there is another " + name);
        require(!element.getAttribute("exec").isBlank(), element, "step " + name + " has no exec");
        scope.groups().forEach(group -> stepsOf(group).add(name));
        Step step = new Step(
                name,
                element.getAttribute("exec"),
                exit(element),
                delay(element),
                List.of(),
                with(scope.conditions(), conditions(element)));
        drafts.put(name, new Draft(step, new ArrayList<>(with(scope.requires(), requirements(element, previous)))));
    }

    private static List<Requirement> requirements(Element element, @Nullable String previous) {
        return Arrays.stream(element.getAttribute("requires").split(","))
                .map(String::trim)
                .filter(word -> !word.isEmpty())
                .map(word -> {
                    boolean soft = word.startsWith("~");
                    String target = soft ? word.substring(1) : word;
                    if (!target.equals("^")) {
                        return new Requirement(target, soft);
                    }
                    if (previous == null) {
                        throw bad(element, "^ has nothing before it");
                    }
                    return new Requirement(previous, soft);
                })
                .toList();
    }

    private static List<Condition> conditions(Element element) {
        List<Condition> conditions = new ArrayList<>();
        for (String kind : List.of("if", "unless")) {
            String text = element.getAttribute(kind);
            if (!text.isEmpty()) {
                conditions.add(new Condition(text.replaceAll("^\\$\\{(.*)}$", "$1"), kind.equals("if")));
            }
        }
        return conditions;
    }

    private static Exit exit(Element element) {
        return switch (element.getAttribute("env")) {
            case "" -> Exit.ZERO;
            case "!" -> Exit.NOT_ZERO;
            case "~" -> Exit.ANY;
            default -> throw bad(element, "env is " + element.getAttribute("env") + "; only ! and ~ are run here");
        };
    }

    private static int delay(Element element) {
        String text = element.getAttribute("delay");
        require(text.matches("[0-9]{0,3}"), element, "delay " + text + " is not a number of seconds");
        return text.isEmpty() ? 0 : Integer.parseInt(text);
    }

    /** Requirements on groups become requirements on their steps. */
    private List<Step> steps() {
        return drafts.values().stream()
                .map(draft -> {
                    Step step = draft.step();
                    List<Requirement> requires = draft.requires().stream()
                            .flatMap(one -> members.getOrDefault(one.step(), List.of(one.step())).stream()
                                    .map(member -> new Requirement(member, one.soft())))
                            .distinct()
                            .toList();
                    return new Step(
                            step.name(), step.command(), step.exit(), step.delaySeconds(), requires, step.condition());
                })
                .toList();
    }

    private static Path folder(Path file) {
        return Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file is in a folder");
    }

    private List<String> stepsOf(String name) {
        return Objects.requireNonNull(members.get(name), name);
    }

    private Draft draft(String step) {
        return Objects.requireNonNull(drafts.get(step), step);
    }

    private static void checkAttributes(Element element) {
        Set<String> known = ATTRIBUTES.getOrDefault(element.getTagName(), Set.of());
        require(
                ATTRIBUTES.containsKey(element.getTagName()),
                element,
                element.getTagName() + " is not run here; use ONOS's stc");
        for (int i = 0; i < element.getAttributes().getLength(); i++) {
            String attribute = element.getAttributes().item(i).getNodeName();
            require(known.contains(attribute), element, element.getTagName() + " has no " + attribute + " here");
        }
    }

    private static <T> List<T> with(List<T> some, List<T> more) {
        List<T> all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }

    private static void require(boolean condition, Object where, String message) {
        if (!condition) {
            throw bad(where, message);
        }
    }

    private static IllegalArgumentException bad(Object where, String message) {
        String place = where instanceof Element element
                ? element.getTagName() + " " + element.getAttribute("name")
                : where.toString();
        return new IllegalArgumentException(place + ": " + message);
    }
}
