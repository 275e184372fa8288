// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import com.nimbusds.jose.util.Resource;
import com.nimbusds.jose.util.ResourceRetriever;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URL;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.sextant.core.Reason;

/**
 * Asks the issuer: whatever it does, an answer is here within a few seconds and has so many bytes at most. A drip of
 * bytes, which a limit of the time between two of them lets go on for ever, is cut off as well. Redirections are not
 * followed: no other server is asked.
 */
final class IssuerWeb implements ResourceRetriever {
    static final int MOST_BYTES = 512 << 10;
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Optional<Path> authorities;
    private final Duration patience;
    private @Nullable HttpClient client;
    private String seen = "";

    /**
     * @param authorities PEM file of the only authorities of the issuer's certificate; empty: those that Java trusts
     */
    IssuerWeb(Optional<Path> authorities, Duration patience) {
        this.authorities = authorities;
        this.patience = patience;
    }

    /** The answer, whatever its status. */
    record Answer(int status, String type, byte[] body) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** Discovery and keys, as the library asks for them. */
    @Override
    public Resource retrieveResource(URL url) throws IOException {
        Answer answer = send(HttpRequest.newBuilder(URI.create(url.toString())).GET());
        if (answer.status() != 200) {
            throw new IOException("it answers " + url + " with " + answer.status());
        }
        return new Resource(answer.text(), answer.type());
    }

    /** @param authorization the header; empty for none */
    Answer post(URI address, Map<String, String> form, Optional<String> authorization) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form(form)));
        authorization.ifPresent(header -> request.header("Authorization", header));
        return send(request);
    }

    /** As HTML forms and addresses have it. */
    static String form(Map<String, String> values) {
        return values.entrySet().stream()
                .map(value -> encoded(value.getKey()) + "=" + encoded(value.getValue()))
                .collect(Collectors.joining("&"));
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private Answer send(HttpRequest.Builder request) throws IOException {
        CompletableFuture<HttpResponse<byte[]>> coming =
                client().sendAsync(request.header("Accept", "application/json").build(), info -> new Bounded());
        try {
            HttpResponse<byte[]> response = coming.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return new Answer(
                    response.statusCode(),
                    response.headers().firstValue("Content-Type").orElse(""),
                    response.body());
        } catch (TimeoutException e) {
            throw new IOException("it has not answered within " + patience.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            throw new IOException(why(e.getCause() == null ? e : e.getCause()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the controller stops", e);
        } finally {
            coming.cancel(true);
        }
    }

    private static String why(Throwable fault) {
        if (fault instanceof ConnectException) {
            return "nothing answers at its address";
        }
        return fault instanceof SSLException
                ? "it has no certificate that is trusted here: " + Reason.of(fault)
                : Reason.of(fault);
    }

    /** Another one when the file of authorities is another one. */
    private synchronized HttpClient client() throws IOException {
        String now = authorities.isEmpty()
                ? ""
                : Files.getLastModifiedTime(authorities.get()).toString();
        if (client == null || !now.equals(seen)) {
            HttpClient.Builder builder =
                    HttpClient.newBuilder().connectTimeout(patience).followRedirects(HttpClient.Redirect.NEVER);
            if (authorities.isPresent()) {
                builder.sslContext(trusting(authorities.get()));
            }
            client = builder.build();
            seen = now;
        }
        return client;
    }

    private static SSLContext trusting(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int count = 0;
            for (Certificate authority : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("authority" + count++, authority);
            }
            if (count == 0) {
                throw new IOException(file + " has no certificate");
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(file + " has no certificates (PEM): " + e.getMessage(), e);
        }
    }

    /** A body that is not too long. */
    private static final class Bounded implements BodySubscriber<byte[]> {
        private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private Flow.@Nullable Subscription source;

        @Override
        public CompletionStage<byte[]> getBody() {
            return whole;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            source = subscription;
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            for (ByteBuffer buffer : buffers) {
                if (bytes.size() + buffer.remaining() > MOST_BYTES) {
                    if (source != null) {
                        source.cancel();
                    }
                    whole.completeExceptionally(
                            new IOException("its answer is longer than " + (MOST_BYTES >> 10) + " KiB"));
                    return;
                }
                byte[] part = new byte[buffer.remaining()];
                buffer.get(part);
                bytes.writeBytes(part);
            }
        }

        @Override
        public void onError(Throwable fault) {
            whole.completeExceptionally(fault);
        }

        @Override
        public void onComplete() {
            whole.complete(bytes.toByteArray());
        }
    }
}
