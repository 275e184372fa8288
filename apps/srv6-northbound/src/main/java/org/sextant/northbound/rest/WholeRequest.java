// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import java.io.IOException;
import java.io.InputStream;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;

/** A request whose body is there already: reading it never waits, and it can be read again from a mark. */
final class WholeRequest extends HttpServletRequestWrapper {
    private final Body body;

    WholeRequest(HttpServletRequest request, Body body) {
        super(request);
        this.body = body;
    }

    @Override
    public ServletInputStream getInputStream() {
        InputStream stream = body.stream();
        return new ServletInputStream() {
            @Override
            public int read() throws IOException {
                return stream.read();
            }

            @Override
            public int read(byte[] to, int offset, int length) throws IOException {
                return stream.read(to, offset, length);
            }

            @Override
            public int available() throws IOException {
                return stream.available();
            }

            @Override
            public boolean markSupported() {
                return true;
            }

            @Override
            public synchronized void mark(int limit) {
                stream.mark(limit);
            }

            @Override
            public synchronized void reset() throws IOException {
                stream.reset();
            }

            @Override
            public boolean isFinished() {
                return false;
            }

            @Override
            public boolean isReady() {
                return true;
            }

            @Override
            public void setReadListener(ReadListener listener) {
                throw new IllegalStateException("the body is there already");
            }
        };
    }
}
