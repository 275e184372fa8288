// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import java.util.Optional;
import java.util.stream.Stream;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServletRequest;

/**
 * How a browser shows that it has a session: a cookie that no script reads, together with a header that no other site's page can have it
 * send. The cookie alone, which a browser sends with whatever makes it ask, opens nothing.
 */
public final class SessionCookie {
    public static final String NAME = "sextant-session";
    public static final String HEADER = "X-Sextant-Session";

    private SessionCookie() {}

    /** The word of the session, if both are there. */
    public static Optional<String> shown(HttpServletRequest request) {
        return request.getHeader(HEADER) == null ? Optional.empty() : value(request, NAME);
    }

    /** The value that a browser keeps under a name. */
    public static Optional<String> value(HttpServletRequest request, String name) {
        return Optional.ofNullable(request.getCookies()).stream()
                .flatMap(Stream::of)
                .filter(cookie -> cookie.getName().equals(name))
                .map(Cookie::getValue)
                .findFirst();
    }
}
