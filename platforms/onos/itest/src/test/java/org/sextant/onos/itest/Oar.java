// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.itest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarInputStream;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** An application archive as ONOS reads it. */
final class Oar {
    static final Path FOLDER = Path.of("..", "oar", "target");

    final ZipFile zip;
    final Element app;

    private Oar(Path file) {
        try {
            zip = new ZipFile(file.toFile());
            app = xml("app.xml");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All of this build. */
    static List<Oar> all() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".oar"))
                    .sorted()
                    .map(Oar::new)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("no applications in " + FOLDER + ": build with mvn package", e);
        }
    }

    String name() {
        return app.getAttribute("name");
    }

    List<String> requiredApps() {
        return List.of(app.getAttribute("apps").split(","));
    }

    /** The Maven addresses of the bundles, as app.xml gives them. */
    List<String> artifacts() {
        return texts(app, "artifact");
    }

    static List<String> texts(Element element, String tag) {
        NodeList found = element.getElementsByTagName(tag);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            texts.add(found.item(i).getTextContent().trim());
        }
        return texts;
    }

    Element xml(String path) {
        try (InputStream in = open(path)) {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            return factory.newDocumentBuilder().parse(in).getDocumentElement();
        } catch (Exception e) {
            throw new IllegalStateException(zip.getName() + ": " + path, e);
        }
    }

    InputStream open(String path) throws IOException {
        if (zip.getEntry(path) == null) {
            throw new IOException(zip.getName() + " has no " + path);
        }
        return zip.getInputStream(zip.getEntry(path));
    }

    JarInputStream bundle(String address) throws IOException {
        return new JarInputStream(open(path(address, ".jar")));
    }

    /** Where {@code mvn:org.sextant/srv6-core/1.0} and {@code mvn:org.sextant/onos-srv6/1.0/xml/features} lie. */
    static String path(String address, String end) {
        String[] parts = address.replaceFirst("^mvn:", "").split("/");
        String suffix = parts.length > 4 ? "-" + parts[4] + "." + parts[3] : end;
        return "m2/" + parts[0].replace('.', '/') + "/" + parts[1] + "/" + parts[2] + "/" + parts[1] + "-" + parts[2]
                + suffix;
    }

    @Override
    public String toString() {
        return name();
    }
}
