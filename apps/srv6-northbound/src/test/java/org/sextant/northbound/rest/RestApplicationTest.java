// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RestApplicationTest {

    /** A resource with a method of its own and one below it. */
    @Path("/things")
    public static final class Things {
        private final String first;

        Things(String first) {
            this.first = first;
        }

        @GET
        @Produces("application/json")
        public String all() {
            return "\"" + first + "\"";
        }

        @GET
        @Path("{id}/parts")
        @Produces("application/json")
        public String parts(@PathParam("id") String id) {
            return "\"" + id + " of " + first + "\"";
        }
    }

    @Test
    void the_methods_of_an_object_are_served_by_that_object() {
        Client client = Client.of(RestApplication.of(Set.of(new Things("anchor"))));

        assertThat(client.get("things").json().textValue()).isEqualTo("anchor");
        assertThat(client.get("things/7/parts").json().textValue()).isEqualTo("7 of anchor");
        assertThat(client.get("things/7").status()).isEqualTo(404);
    }

    @Test
    void jersey_has_nothing_to_warn_of() {
        List<LogRecord> records = new ArrayList<>();
        Logger logger = Logger.getLogger("org.glassfish.jersey");
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord one) {
                records.add(one);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        try {
            Client.of(RestApplication.of(Set.of(new Things("anchor"))));
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(records).extracting(LogRecord::getMessage).isEmpty();
    }
}
