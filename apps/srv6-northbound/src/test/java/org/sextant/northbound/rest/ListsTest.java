// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.northbound.app.Notes;

/** Filters and cursors of the lists of every app. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class ListsTest {
    private static final Pattern CURSOR = Pattern.compile("cursor=([^&>]+)");

    private final Notes notes = new Notes();
    private final Client client = Client.of(notes);

    @BeforeEach
    void four_notes() {
        client.post("notes", "[{'text':'a1'},{'text':'a2'},{'text':'b1'},{'text':'b2'}]");
    }

    @AfterEach
    void close() {
        notes.close();
    }

    private List<String> ids(String address) {
        return client.get(address).json().findValuesAsText("id");
    }

    private String cursor(String address) {
        Matcher cursor = CURSOR.matcher(client.get(address).link());
        assertThat(cursor.find()).isTrue();
        return cursor.group(1);
    }

    private void refused(String address, String field, String message) {
        Client.Answer answer = client.get(address);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/errors/0/field").textValue()).isEqualTo(field);
        assertThat(answer.json().at("/errors/0/message").textValue()).isEqualTo(message);
    }

    @Test
    void a_list_is_filtered_by_text_state_and_node() {
        assertThat(ids("notes?q=A")).containsExactly("a1", "a2");
        assertThat(ids("notes?q=2&state=INSTALLED")).containsExactly("a2", "b2");
        assertThat(ids("notes?state=FAILED")).isEmpty();
        assertThat(ids("notes?node=l1")).isEmpty();
        assertThat(ids("notes?label=app")).isEmpty();
        assertThat(ids("notes?q=a&label=!app")).containsExactly("a1", "a2");
        refused("notes?label=-", "/label", "\"-\" is no key of a label");
        assertThat(ids("notes?q=2&state=installed")).containsExactly("a2", "b2");
        refused("notes?state=there", "/state", "there is no state \"there\"");
    }

    @Test
    void a_cursor_goes_on_where_the_page_ended_also_if_its_last_element_is_deleted() {
        String second = cursor("notes?limit=2&cursor=");
        client.delete("notes/a2");
        assertThat(ids("notes?limit=1&cursor=" + second)).containsExactly("b1");
        String third = cursor("notes?limit=1&cursor=" + second);
        assertThat(ids("notes?limit=1&cursor=" + third)).containsExactly("b2");
        assertThat(client.get("notes?limit=1&cursor=" + third).link()).isNull();
    }

    @Test
    void a_cursor_of_another_query_is_refused() {
        String cursor = cursor("notes?limit=1&q=a&cursor=");
        assertThat(ids("notes?limit=1&q=a&cursor=" + cursor)).containsExactly("a2");
        refused("notes?limit=1&q=b&cursor=" + cursor, "/cursor", "that is the cursor of another query");
        refused("notes?cursor=a1", "/cursor", "that is not a cursor");
        refused("notes?cursor=*", "/cursor", "that is not a cursor");
        refused("notes?after=a1&cursor=" + cursor, "/cursor", "cursor and after both say where to go on");
    }
}
