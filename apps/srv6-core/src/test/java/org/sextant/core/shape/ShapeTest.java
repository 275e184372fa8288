// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sextant.core.ProblemException;
import org.sextant.core.json.BoundedJson;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ShapeTest {

    /** An object with a field of each kind. */
    record Door(
            String name,
            Optional<String> note,
            int width,
            boolean open,
            Side side,
            List<Lock> locks,
            Object color,
            SortedMap<String, Integer> keys) {}

    enum Side {
        LEFT,
        RIGHT
    }

    record Lock(long code, boolean spare) {}

    private static final Field<Lock, Long> CODE =
            Field.required("code", "its code", new IntegerNumber(1, 1L << 40), "give the code", Lock::code);
    private static final Field<Lock, Boolean> SPARE = Field.standard(
                    "spare", "is not used", new Flag(), false, Lock::spare)
            .writtenUnlessDefault();
    private static final ObjectShape<Lock> LOCK = ObjectShape.of(
                    "locks a door", List.of(CODE, SPARE), values -> new Lock(values.get(CODE), values.get(SPARE)))
            .named("Lock");

    private static final Text<String> WORD = Text.matching("[a-z]{1,8}", "is no word", "use 8 letters at most");

    private static final Field<Door, String> NAME =
            Field.required("name", "becomes the id", WORD, "name the door", Door::name);
    private static final Field<Door, Optional<String>> NOTE =
            Field.optional("note", "free text", Text.upTo(20), Door::note);
    private static final Field<Door, Integer> WIDTH =
            Field.standard("width", "in centimeters", IntegerNumber.between(60, 120), 80, Door::width);
    private static final Field<Door, Boolean> OPEN =
            Field.standard("state", "whether it is open", Word.either("open", "shut"), false, Door::open);
    private static final Field<Door, Side> SIDE = Field.standard(
            "side",
            "where the hinges are",
            Word.of(List.of(Side.values()), side -> side.name().toLowerCase(Locale.ROOT)),
            Side.LEFT,
            Door::side);
    private static final Field<Door, List<Lock>> LOCKS = Field.standard(
                    "locks",
                    "top first",
                    Elements.of(LOCK)
                            .sized(0, 2, count -> count + " locks are too many", count -> "list 2 at most")
                            .rule((locks, inputs) -> {
                                if (locks.size() == 2
                                        && locks.get(0).isPresent()
                                        && locks.get(0).equals(locks.get(1))) {
                                    inputs.get(1).invalid("the lock is listed twice", "list it once");
                                }
                            }),
                    List.<Lock>of(),
                    Door::locks)
            .writtenUnlessDefault();
    private static final Field<Door, Object> COLOR = Field.standard(
            "color",
            "a name, or a number of the table",
            OneOf.<Object>otherwise(node -> node + ", which is no color", "write a name or a number")
                    .form(IntegerNumber.between(0, 9), number -> number, color -> only(Integer.class, color))
                    .form(JsonNode::isTextual, WORD, name -> name, color -> only(String.class, color)),
            0,
            Door::color);
    private static final Field<Door, SortedMap<String, Integer>> KEYS = Field.standard(
                    "keys",
                    "how many of each kind",
                    Keyed.of(WORD, IntegerNumber.between(0, 9), 2, count -> count + " kinds are given", "2 at most"),
                    new TreeMap<String, Integer>(),
                    Door::keys)
            .writtenUnlessDefault();

    private static final ObjectShape<Door> DOOR = ObjectShape.<Door>of(
                    "a door",
                    List.of(NAME, NOTE, WIDTH, OPEN, SIDE, LOCKS, COLOR, KEYS),
                    values -> new Door(
                            values.get(NAME),
                            values.get(NOTE),
                            values.get(WIDTH),
                            values.get(OPEN),
                            values.get(SIDE),
                            values.get(LOCKS),
                            values.get(COLOR),
                            values.get(KEYS)))
            .rule(values -> {
                if (values.find(OPEN).orElse(false) && values.has(LOCKS)) {
                    values.invalid(LOCKS, "an open door has no lock", "shut it");
                }
            })
            .named("Door");

    private static <T> Optional<T> only(Class<T> type, Object value) {
        return Optional.of(value).filter(type::isInstance).map(type::cast);
    }

    private static JsonNode json(String text) {
        return new BoundedJson(1 << 20, 32).read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static final String FULL = "{'name':'front','note':'new','width':90,'state':'shut','side':'right',"
            + "'locks':[{'code':1099511627776},{'code':7,'spare':true}],'color':'red','keys':{'car':1,'house':2}}";

    @Test
    void absent_fields_and_nulls_have_their_defaults() {
        Door door = new Door("front", Optional.empty(), 80, false, Side.LEFT, List.of(), 0, new TreeMap<>());
        assertThat(DOOR.decode(json("{'name':'front'}"))).isEqualTo(door);
        assertThat(DOOR.decode(json("{'name':'front','note':null,'width':null,'locks':null}")))
                .isEqualTo(door);
    }

    @Test
    void defaults_are_written_out_unless_they_mean_nothing_by_themselves() {
        assertThat(DOOR.write(DOOR.decode(json("{'name':'front'}"))))
                .hasToString("{'name':'front','width':80,'state':'shut','side':'left','color':0}".replace('\'', '"'));
    }

    @Test
    void fields_are_written_in_the_order_of_their_declaration_whatever_the_order_of_the_document() {
        assertThat(DOOR.write(DOOR.decode(json(FULL)))).hasToString(FULL.replace('\'', '"'));
        ObjectNode reversed = json("{}").deepCopy();
        List<String> names = new ArrayList<>();
        json(FULL).fieldNames().forEachRemaining(names::add);
        Collections.reverse(names);
        names.forEach(name -> reversed.set(name, json(FULL).get(name)));
        assertThat(DOOR.write(DOOR.decode(reversed))).hasToString(FULL.replace('\'', '"'));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '#',
            value = {
                "[]                                        |               |an object is wanted here, not a list|write {…}",
                "{}                                        |/name          |\"name\" is missing|name the door",
                "{'name':null}                             |/name          |\"name\" is missing|name the door",
                "{'name':7}                                |/name          |a string is wanted here, not the number 7|write it in quotes",
                "{'name':'Front'}                          |/name          |\"Front\" is no word|use 8 letters at most",
                "{'name':'a','nam':1}                      |/nam           |unknown field \"nam\"|did you mean \"name\"?",
                "{'name':'a','zzzzz':1}                    |/zzzzz         |unknown field \"zzzzz\"|the fields are name, note, width, state, side, locks, color, keys",
                "{'name':'a','note':'twenty-one characters'}|/note         |the text has 21 characters, more than 20|write 20 characters at most",
                "{'name':'a','width':121}                  |/width         |\"width\" is 121, not an integer from 60 to 120|write a number of that range",
                "{'name':'a','width':'80'}                 |/width         |\"width\" is \"80\", not an integer from 60 to 120|write a number of that range",
                "{'name':'a','width':80.5}                 |/width         |\"width\" is 80.5, not an integer from 60 to 120|write a number of that range",
                "{'name':'a','state':true}                 |/state         |a string is wanted here, not true|write it in quotes",
                "{'name':'a','side':'lift'}                |/side          |\"side\" is \"lift\", which is none of left, right|did you mean left?",
                "{'name':'a','locks':{}}                   |/locks         |\"locks\" wants a list, not an object|write [ … ]",
                "{'name':'a','locks':[{},{},{}]}           |/locks         |3 locks are too many|list 2 at most",
                "{'name':'a','locks':[{'code':1},7]}       |/locks/1       |an object is wanted here, not the number 7|write {…}",
                "{'name':'a','locks':[{'code':1},{'code':1}]}|/locks/1     |the lock is listed twice|list it once",
                "{'name':'a','locks':[{'code':1,'spare':'no'}]}|/locks/0/spare|\"spare\" wants true or false, not the string \"no\"|write true or false without quotes",
                "{'name':'a','color':10}                   |/color         |\"color\" is 10, which is no color|write a name or a number",
                "{'name':'a','color':'RED'}                |/color         |\"RED\" is no word|use 8 letters at most",
                "{'name':'a','keys':[]}                    |/keys          |an object is wanted here, not a list|write {…}",
                "{'name':'a','keys':{'A/B':1}}             |/keys/A~1B     |\"A/B\" is no word|use 8 letters at most",
                "{'name':'a','keys':{'car':10}}            |/keys/car      |\"car\" is 10, not an integer from 0 to 9|write a number of that range",
                "{'name':'a','keys':{'car':null}}          |/keys/car      |\"car\" is null, not an integer from 0 to 9|write a number of that range",
                "{'name':'a','keys':{'x':1,'y':1,'z':1}}   |/keys          |3 kinds are given|2 at most",
                "{'name':'a','state':'open','locks':[]}    |/locks         |an open door has no lock|shut it",
            })
    void a_fault_is_reported_with_its_place_and_a_remedy(String text, String field, String message, String remedy) {
        ProblemException refused = catchThrowableOfType(ProblemException.class, () -> DOOR.decode(json(text)));
        assertThat(refused.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.field()).isEqualTo(field == null ? "" : field);
            assertThat(problem.message()).isEqualTo(message);
            assertThat(problem.remedy()).isEqualTo(remedy);
        });
    }

    @Test
    void a_number_stands_for_its_digits_and_is_written_as_declared() {
        Text<Integer> hex = Text.parsed(text -> Integer.decode(text), "write 16, or \"0x10\"");
        Field<Integer, Integer> id = Field.required(
                "id",
                "a number",
                NumberOrText.of(hex, 0, 99).writtenAs(Integer::longValue),
                "give it",
                number -> number);
        ObjectShape<Integer> shape = ObjectShape.of("has a number", List.of(id), values -> values.get(id));
        assertThat(shape.decode(json("{'id':'0x10'}"))).isEqualTo(16);
        assertThat(shape.write(shape.decode(json("{'id':16}")))).hasToString("{\"id\":16}");
        assertThat(shape.schema(new NamedSchemas()).at("/properties/id/oneOf").toString())
                .isEqualTo("[{'type':'integer','minimum':0,'maximum':99},{'type':'string'}]".replace('\'', '"'));
        assertThatThrownBy(() -> shape.decode(json("{'id':99999999999}")))
                .hasMessageContaining("99999999999")
                .hasMessageContaining("write 16, or \"0x10\"");
    }

    @Test
    void a_field_describes_the_object_that_it_has() {
        Field<Lock, Long> code = Field.required("code", "its code", new IntegerNumber(1, 9), "give it", Lock::code);
        ObjectShape<Lock> lock =
                ObjectShape.of("locks a door", List.of(code), values -> new Lock(values.get(code), false));
        Field<Lock, Lock> inner = Field.required("inner", "the second one", lock, "give it", one -> one);
        ObjectShape<Lock> outer = ObjectShape.of("two locks", List.of(inner), values -> values.get(inner));
        assertThat(outer.schema(new NamedSchemas())
                        .at("/properties/inner/description")
                        .textValue())
                .isEqualTo("the second one");
    }

    @Test
    void all_faults_are_reported_at_once_in_the_order_of_the_declaration() {
        assertThatThrownBy(() -> DOOR.decode(json("{'extra':1,'locks':[{'spare':1}, []],'width':0,'side':'up'}")))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.problems())
                                .extracting(problem -> problem.field())
                                .containsExactly(
                                        "/name",
                                        "/width",
                                        "/side",
                                        "/locks/0/code",
                                        "/locks/0/spare",
                                        "/locks/1",
                                        "/extra"));
    }

    @Test
    void the_schema_has_bounds_defaults_and_a_description_per_property() {
        NamedSchemas named = new NamedSchemas();
        assertThat(DOOR.schema(named)).isEqualTo(json("{'$ref':'#/components/schemas/Door'}"));
        assertThat(json(named.toJson().toString())).isEqualTo(json("""
                {'Door': {'type': 'object', 'description': 'a door', 'additionalProperties': false, 'required': ['name'],
                  'properties': {
                    'name': {'description': 'becomes the id', 'type': 'string', 'pattern': '^[a-z]{1,8}$'},
                    'note': {'description': 'free text', 'type': 'string', 'maxLength': 20},
                    'width': {'description': 'in centimeters', 'type': 'integer', 'minimum': 60, 'maximum': 120, 'default': 80},
                    'state': {'description': 'whether it is open', 'type': 'string', 'enum': ['open', 'shut'], 'default': 'shut'},
                    'side': {'description': 'where the hinges are', 'type': 'string', 'enum': ['left', 'right'], 'default': 'left'},
                    'locks': {'description': 'top first', 'type': 'array', 'maxItems': 2,
                      'items': {'$ref': '#/components/schemas/Lock'}},
                    'color': {'description': 'a name, or a number of the table', 'oneOf': [
                      {'type': 'integer', 'minimum': 0, 'maximum': 9}, {'type': 'string', 'pattern': '^[a-z]{1,8}$'}],
                      'default': 0},
                    'keys': {'description': 'how many of each kind', 'type': 'object', 'maxProperties': 2,
                      'additionalProperties': {'type': 'integer', 'minimum': 0, 'maximum': 9}}}},
                 'Lock': {'type': 'object', 'description': 'locks a door', 'additionalProperties': false, 'required': ['code'],
                  'properties': {
                    'code': {'description': 'its code', 'type': 'integer', 'minimum': 1, 'maximum': 1099511627776},
                    'spare': {'description': 'is not used', 'type': 'boolean'}}}}
                """));
    }
}
