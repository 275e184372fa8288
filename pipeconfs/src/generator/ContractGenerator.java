// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes package org.sextant.contract from P4Info files in text form: {@code java ContractGenerator.java P4INFO_DIR
 * OUTPUT_DIR}. Tables and actions of all files are joined by their alias; the same alias with another id, width or kind
 * stops the build.
 */
public final class ContractGenerator {

    private static final String PACKAGE = "org.sextant.contract";

    // Joined over all targets, by id.
    private final SortedMap<Integer, Named> tables = new TreeMap<>();
    private final SortedMap<Integer, Named> actions = new TreeMap<>();
    private final SortedMap<Integer, Named> counters = new TreeMap<>();
    private final SortedMap<Integer, Named> arrays = new TreeMap<>();
    private final SortedMap<Integer, Named> packets = new TreeMap<>();

    /** By target: Java arguments that describe its pipeline. */
    private final SortedMap<String, String> pipelines = new TreeMap<>();

    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            System.err.println("usage: java ContractGenerator.java P4INFO_DIR OUTPUT_DIR");
            System.exit(2);
        }
        List<Path> files;
        try (Stream<Path> listed = Files.list(Path.of(args[0]))) {
            files = listed.filter(file -> file.toString().endsWith(".p4info.txtpb")).sorted().toList();
        }
        if (files.isEmpty()) {
            throw new IOException("no *.p4info.txtpb in " + args[0]);
        }
        ContractGenerator generator = new ContractGenerator();
        for (Path file : files) {
            String name = file.getFileName().toString();
            TextProto.Message info = TextProto.parse(Files.readString(file));
            generator.join(name, info);
            generator.offer(name.replace(".p4info.txtpb", ""), info);
        }
        Path output = Path.of(args[1], PACKAGE.split("\\."));
        Files.createDirectories(output);
        for (Map.Entry<String, String> unit : generator.units().entrySet()) {
            writeIfChanged(output.resolve(unit.getKey() + ".java"), unit.getValue());
        }
    }

    /** An unchanged file keeps its time, so that an incremental build compiles nothing. */
    private static void writeIfChanged(Path file, String text) throws IOException {
        if (!Files.exists(file) || !Files.readString(file).equals(text)) {
            Files.writeString(file, text);
        }
    }

    /** Something with an id and a name, and its parts as lines of Java arguments, by id. */
    private record Named(int id, String name, SortedMap<Integer, Part> parts, SortedMap<Integer, Integer> references, boolean flag) {}

    private record Part(String name, int bits, String kind) {}

    private void join(String file, TextProto.Message info) {
        for (TextProto.Message action : info.messages("actions")) {
            if (!action.message("preamble").text("alias").equals("NoAction")) {
                merge(file, actions, named(action, "params", false));
            }
        }
        for (TextProto.Message table : info.messages("tables")) {
            Named named = named(table, "match_fields", table.has("implementation_id"));
            for (TextProto.Message reference : table.messages("action_refs")) {
                int id = reference.number("id");
                if (actions.containsKey(id)) {
                    named.references.put(id, id);
                }
            }
            merge(file, tables, named);
        }
        for (TextProto.Message counter : info.messages("direct_counters")) {
            Named named = named(counter, "none", false);
            named.references.put(0, counter.number("direct_table_id"));
            merge(file, counters, named);
        }
        for (TextProto.Message array : info.messages("counters")) {
            Named named = named(array, "none", false);
            named.references.put(0, array.number("size"));
            merge(file, arrays, named);
        }
        for (TextProto.Message packet : info.messages("controller_packet_metadata")) {
            merge(file, packets, named(packet, "metadata", false));
        }
    }

    /** The actions that entries may have in each table of this target, and how many rows it holds. */
    private void offer(String target, TextProto.Message info) {
        List<String> offered = new ArrayList<>();
        List<String> sizes = new ArrayList<>();
        for (TextProto.Message table : info.messages("tables")) {
            String name = table.message("preamble").text("alias");
            List<String> names = table.messages("action_refs").stream()
                    .filter(reference -> !reference.has("scope") || !reference.text("scope").equals("DEFAULT_ONLY"))
                    .map(reference -> actions.get(reference.number("id")))
                    .map(action -> "Actions." + constantName(action.name) + ".name()")
                    .toList();
            offered.add("Map.entry(Tables." + constantName(name) + ".name(), Set.of(" + String.join(", ", names) + "))");
            if (table.has("size")) {
                sizes.add("Map.entry(Tables." + constantName(name) + ".name(), " + table.number("size") + "L)");
            }
        }
        pipelines.put(target, "\"" + target + "\",\n            " + map(offered) + ",\n            " + map(sizes));
    }

    private static String map(List<String> entries) {
        return "Map.ofEntries(\n                    " + String.join(",\n                    ", entries) + ")";
    }

    private static Named named(TextProto.Message message, String parts, boolean flag) {
        TextProto.Message preamble = message.message("preamble");
        SortedMap<Integer, Part> byId = new TreeMap<>();
        for (TextProto.Message part : message.messages(parts)) {
            byId.put(part.number("id"), new Part(part.text("name"), part.number("bitwidth"), part.has("match_type") ? part.text("match_type") : ""));
        }
        return new Named(preamble.number("id"), preamble.text("alias"), byId, new TreeMap<>(), flag);
    }

    private static void merge(String file, SortedMap<Integer, Named> into, Named named) {
        for (Named other : into.values()) {
            boolean sameId = other.id == named.id;
            boolean sameName = other.name.equals(named.name);
            if (sameId != sameName) {
                throw new IllegalStateException(file + ": " + named.name + " has id " + hex(named.id) + ", but another target has " + other.name + " with " + hex(other.id));
            }
            if (sameId && (!agree(other.parts, named.parts) || other.flag != named.flag)) {
                throw new IllegalStateException(file + ": " + named.name + " has " + named.parts + ", but another target has " + other.parts);
            }
        }
        Named all = into.computeIfAbsent(named.id, id -> named);
        all.parts.putAll(named.parts);
        all.references.putAll(named.references);
    }

    /** True if the common parts are equal; of match fields a target may lack some, and matches everything there. */
    private static boolean agree(SortedMap<Integer, Part> some, SortedMap<Integer, Part> others) {
        boolean fields = Stream.of(some, others).flatMap(parts -> parts.values().stream()).noneMatch(part -> part.kind.isEmpty());
        return fields
                ? some.entrySet().stream().allMatch(part -> others.getOrDefault(part.getKey(), part.getValue()).equals(part.getValue()))
                : some.equals(others);
    }

    private Map<String, String> units() {
        Map<String, String> units = new LinkedHashMap<>();
        units.put("Fields", unit("Fields", "Match fields, named after their table.", parts(tables, "Field", part -> ", Field.Kind." + part.kind)));
        units.put("Params", unit("Params", "Parameters, named after their action.", parts(actions, "Param", part -> "")));
        units.put("Actions", unit("Actions", "Actions by name.", actions.values().stream()
                .map(action -> constant("Action", constantName(action.name), hex(action.id) + ", \"" + action.name + "\", " + list(names(action, "Params"))))
                .toList(), "Action", actions));
        units.put("Tables", unit("Tables", "Tables by name.", tables.values().stream()
                .map(table -> constant("Table", constantName(table.name), hex(table.id) + ", \"" + table.name + "\",\n            "
                        + list(names(table, "Fields")) + ",\n            " + list(actionsOf(table)) + ",\n            " + table.flag))
                .toList(), "Table", tables));
        units.put("Counters", unit("Counters", "Direct counters by name; some targets lack some.", counters.values().stream()
                .map(counter -> constant("Counter", constantName(counter.name), hex(counter.id) + ", \"" + counter.name + "\", Tables."
                        + constantName(tables.get(counter.references.get(0)).name)))
                .toList(), "Counter", counters));
        units.put("CounterArrays", unit("CounterArrays", "Arrays of counters by name; some targets lack some.", arrays.values().stream()
                .map(array -> constant("CounterArray", constantName(array.name), hex(array.id) + ", \"" + array.name + "\", " + array.references.get(0)))
                .toList(), "CounterArray", arrays));
        units.put("Pipelines", pipelines());
        units.put("PacketMetadata", unit("PacketMetadata", "What goes with a packet, named after its direction.", parts(packets, "Metadata", part -> "")));
        return units;
    }

    private String pipelines() {
        List<String> constants = new ArrayList<>();
        List<String> names = new ArrayList<>();
        pipelines.forEach((target, arguments) -> {
            names.add(constantName(target));
            constants.add(constant("Pipeline", constantName(target), arguments));
        });
        return unit("Pipelines", "What the targets offer, by name.", constants, "Pipeline", names);
    }

    private static List<String> parts(SortedMap<Integer, Named> owners, String type, java.util.function.Function<Part, String> more) {
        List<String> lines = new ArrayList<>();
        for (Named owner : owners.values()) {
            owner.parts.forEach((id, part) -> lines.add(constant(type, constantName(owner.name + "_" + part.name),
                    id + ", \"" + part.name + "\", " + part.bits + more.apply(part))));
        }
        return lines;
    }

    private static List<String> names(Named owner, String unit) {
        return owner.parts.values().stream().map(part -> unit + "." + constantName(owner.name + "_" + part.name)).toList();
    }

    private List<String> actionsOf(Named table) {
        return table.references.keySet().stream().map(id -> "Actions." + constantName(actions.get(id).name)).toList();
    }

    private static String list(List<String> elements) {
        return "List.of(" + String.join(", ", elements) + ")";
    }

    private static String constant(String type, String name, String arguments) {
        return "    public static final " + type + " " + name + " = new " + type + "(" + arguments + ");\n";
    }

    private static String constantName(String name) {
        return name.replaceFirst("^_", "").replace("__", "_").toUpperCase(Locale.ROOT);
    }

    private static String hex(int id) {
        return String.format("0x%08x", id);
    }

    private static String unit(String name, String comment, List<String> constants) {
        return head(name, comment) + constants.stream().collect(Collectors.joining("\n")) + "\n    private " + name + "() {}\n}\n";
    }

    private static String unit(String name, String comment, List<String> constants, String type, SortedMap<Integer, Named> all) {
        return unit(name, comment, constants, type, all.values().stream().map(one -> constantName(one.name)).toList());
    }

    private static String unit(String name, String comment, List<String> constants, String type, List<String> all) {
        String everything = String.join(",\n            ", all);
        return head(name, comment) + String.join("\n", constants)
                + "\n    /** All of them, always in the same order. */\n    public static final List<" + type + "> ALL = List.of(\n            " + everything + ");\n"
                + "\n    private static final Map<String, " + type + "> BY_NAME = ALL.stream().collect(Collectors.toUnmodifiableMap(" + type + "::name, one -> one));\n"
                + "\n    private " + name + "() {}\n"
                + "\n    /** Empty if the contract has nothing of that name. */\n    public static Optional<" + type + "> byName(String name) {\n        return Optional.ofNullable(BY_NAME.get(name));\n    }\n}\n";
    }

    private static String head(String name, String comment) {
        boolean lists = name.endsWith("s") && !name.equals("Fields") && !name.equals("Params");
        return "// SPDX-License-Identifier: Apache-2.0\n// Generated from P4Info by ContractGenerator; changes here are lost.\npackage " + PACKAGE + ";\n\n"
                + (lists ? "import java.util.List;\nimport java.util.Map;\nimport java.util.Optional;\n" + (name.equals("Pipelines") ? "import java.util.Set;\n" : "") + "import java.util.stream.Collectors;\n\n" : "")
                + "/** " + comment + " */\npublic final class " + name + " {\n\n";
    }

    /** The little of protobuf's text format that P4Info files use. */
    static final class TextProto {
        private static final Pattern TOKEN = Pattern.compile("\\s*(?:#[^\\n]*\\n\\s*)*([A-Za-z_][A-Za-z0-9_.]*|-?[0-9][0-9a-zA-Z.]*|\"(?:[^\"\\\\]|\\\\.)*\"|[:{}\\[\\],;<>])");

        private final Matcher matcher;
        private final String text;
        private String token;

        private TextProto(String text) {
            this.text = text;
            this.matcher = TOKEN.matcher(text);
            next();
        }

        /** Values by field name, in order; a value is a Message or the text of a scalar. */
        record Message(Map<String, List<Object>> values) {
            List<Message> messages(String name) {
                return values.getOrDefault(name, List.of()).stream().map(Message.class::cast).toList();
            }

            Message message(String name) {
                return messages(name).get(0);
            }

            boolean has(String name) {
                return values.containsKey(name);
            }

            String text(String name) {
                List<Object> all = values.get(name);
                if (all == null) {
                    throw new IllegalStateException("P4Info lacks " + name + " in " + values.keySet());
                }
                return (String) all.get(0);
            }

            int number(String name) {
                return Integer.decode(text(name));
            }
        }

        static Message parse(String text) {
            TextProto parser = new TextProto(text);
            Message message = parser.message("");
            return message;
        }

        private Message message(String end) {
            Map<String, List<Object>> values = new LinkedHashMap<>();
            while (!token.equals(end)) {
                String name = token;
                next();
                boolean scalar = token.equals(":");
                if (scalar) {
                    next();
                }
                List<Object> into = values.computeIfAbsent(name, n -> new ArrayList<>());
                if (token.equals("[")) {
                    next();
                    while (!token.equals("]")) {
                        into.add(value());
                        if (token.equals(",")) {
                            next();
                        }
                    }
                    next();
                } else {
                    into.add(value());
                }
                if (token.equals(",") || token.equals(";")) {
                    next();
                }
            }
            if (!end.isEmpty()) {
                next();
            }
            return new Message(values);
        }

        private Object value() {
            if (token.equals("{")) {
                next();
                return message("}");
            }
            String value = token.startsWith("\"") ? token.substring(1, token.length() - 1) : token;
            next();
            while (token.startsWith("\"")) {
                value += token.substring(1, token.length() - 1);
                next();
            }
            return value;
        }

        private void next() {
            int from = token == null ? 0 : matcher.end();
            if (text.substring(from).isBlank()) {
                token = "";
                return;
            }
            if (!matcher.find(from) || matcher.start() != from) {
                throw new IllegalStateException("cannot read P4Info at: " + text.substring(from, Math.min(text.length(), from + 40)));
            }
            token = matcher.group(1);
        }
    }
}
