// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.itest;

import static org.assertj.core.api.Assertions.assertThat;

import aQute.bnd.header.Parameters;
import aQute.bnd.osgi.Domain;
import aQute.bnd.osgi.resource.CapReqBuilder;
import aQute.bnd.osgi.resource.ResourceBuilder;
import aQute.bnd.osgi.resource.ResourceUtils;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.jar.JarInputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.osgi.resource.Capability;
import org.osgi.resource.Requirement;
import org.osgi.resource.Resource;
import org.w3c.dom.Element;

/**
 * Checks that every bundle of every application finds its requirements in an ONOS 2.7.0 with the applications it
 * requires. It does not see conflicts of packages that come by two ways; a live ONOS does.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
class ResolutionTest {
    private static final List<Oar> OARS = Oar.all();
    private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G'};

    static List<Oar> oars() {
        return OARS;
    }

    @Test
    void there_are_applications() {
        assertThat(OARS).extracting(Oar::name).contains("org.sextant.srv6", "org.sextant.usid");
    }

    @ParameterizedTest
    @MethodSource("oars")
    void every_requirement_has_a_provider(Oar oar) throws Exception {
        assertThat(missing(oar, withRequired(oar))).isEmpty();
    }

    @Test
    void what_is_missing_is_found() throws Exception {
        Oar usid = oar("org.sextant.usid");
        assertThat(missing(usid, List.of(usid)))
                .anyMatch(requirement -> requirement.contains("org.sextant.core.intent"));
    }

    /** The requirements of an application's bundles that neither ONOS nor {@code present} has. */
    private static List<String> missing(Oar oar, List<Oar> present) throws Exception {
        List<Capability> provided = new ArrayList<>(onos());
        List<Resource> own = new ArrayList<>();
        for (Oar one : present) {
            for (String artifact : one.artifacts()) {
                Resource bundle = resource(one, artifact);
                provided.addAll(bundle.getCapabilities(null));
                if (one == oar) {
                    own.add(bundle);
                }
            }
        }
        assertThat(own).isNotEmpty();
        return own.stream()
                .flatMap(bundle -> bundle.getRequirements(null).stream())
                .filter(requirement ->
                        !"optional".equals(requirement.getDirectives().get("resolution")) && !isPartOfOnos(requirement))
                .filter(requirement ->
                        provided.stream().noneMatch(capability -> ResourceUtils.matches(requirement, capability)))
                .map(requirement -> requirement.getNamespace() + " "
                        + requirement.getDirectives().get("filter"))
                .sorted()
                .toList();
    }

    private static Oar oar(String name) {
        return OARS.stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("oars")
    void no_bundle_imports_guava_or_what_only_the_stand_alone_host_has(Oar oar) throws Exception {
        for (String artifact : oar.artifacts()) {
            String imports = manifest(oar, artifact).getImportPackage().keySet().toString();
            assertThat(imports).as(artifact).doesNotContain("com.google.common", "io.grpc", "org.sextant.karaf");
        }
    }

    @ParameterizedTest
    @MethodSource("oars")
    void the_archive_is_whole(Oar oar) throws Exception {
        assertThat(Stream.of("name", "origin", "version", "title", "category", "url", "features", "featuresRepo"))
                .allMatch(attribute -> !oar.app.getAttribute(attribute).isBlank());
        assertThat(Oar.texts(oar.app, "description"))
                .singleElement()
                .satisfies(text -> assertThat(text).isNotBlank());
        assertThat(oar.open("README.md").readAllBytes()).isNotEmpty();
        assertThat(oar.open("app.png").readNBytes(4)).isEqualTo(PNG);
        Element features = oar.xml(Oar.path(oar.app.getAttribute("featuresRepo"), ""));
        Element feature = (Element) features.getElementsByTagName("feature").item(0);
        assertThat(feature.getAttribute("name")).isEqualTo(oar.app.getAttribute("features"));
        assertThat(Oar.texts(feature, "bundle")).containsExactlyElementsOf(oar.artifacts());
        for (String artifact : oar.artifacts()) {
            assertThat(oar.open(Oar.path(artifact, ".jar")).read()).as(artifact).isNotNegative();
        }
    }

    @ParameterizedTest
    @MethodSource("oars")
    void bundles_are_those_of_the_build_and_no_copies(Oar oar) throws Exception {
        for (String artifact : oar.artifacts()) {
            String id = artifact.split("/")[1];
            // Archives of this build: tests of upgrades keep that of the last release in "build".
            Path root = Path.of("..", "..", "..");
            try (Stream<Path> built = Files.find(
                    root,
                    6,
                    (path, attributes) -> attributes.isRegularFile()
                            && !path.startsWith(root.resolve("build"))
                            && path.getParent().endsWith("target")
                            && path.getFileName().toString().equals(id + "-" + artifact.split("/")[2] + ".jar"))) {
                assertThat(built.toList())
                        .as(artifact)
                        .singleElement()
                        .satisfies(jar -> assertThat(Files.readAllBytes(jar))
                                .isEqualTo(oar.open(Oar.path(artifact, ".jar")).readAllBytes()));
            }
        }
    }

    /** ONOS looks for the classes that srv6-drivers.xml names through the bundle, which bnd does not see. */
    @Test
    void drivers_name_classes_that_the_bundle_has_or_imports() throws Exception {
        Oar oar = oar("org.sextant.srv6");
        String artifact = oar.artifacts().stream()
                .filter(one -> one.contains("onos-host"))
                .findFirst()
                .orElseThrow();
        Set<String> imports = manifest(oar, artifact).getImportPackage().keySet();
        List<String> entries = new ArrayList<>();
        String drivers = "";
        try (JarInputStream jar = oar.bundle(artifact)) {
            for (var entry = jar.getNextJarEntry(); entry != null; entry = jar.getNextJarEntry()) {
                entries.add(entry.getName());
                drivers = entry.getName().equals("srv6-drivers.xml")
                        ? new String(jar.readAllBytes(), StandardCharsets.UTF_8)
                        : drivers;
            }
        }
        List<String> named = Arrays.stream(drivers.split("\""))
                .filter(word -> word.matches("org\\.[a-z0-9.]+\\.[A-Z][A-Za-z0-9]+"))
                .toList();
        assertThat(named)
                .hasSizeGreaterThan(6)
                .allSatisfy(type -> assertThat(imports.contains(type.substring(0, type.lastIndexOf('.')))
                                || entries.contains(type.replace('.', '/') + ".class"))
                        .as(type)
                        .isTrue());
    }

    private static List<Oar> withRequired(Oar oar) {
        List<Oar> all = new ArrayList<>(List.of(oar));
        OARS.stream()
                .filter(other -> oar.requiredApps().contains(other.name()))
                .forEach(other -> all.addAll(withRequired(other)));
        return all;
    }

    private static Domain manifest(Oar oar, String artifact) throws IOException {
        try (JarInputStream jar = oar.bundle(artifact)) {
            return Domain.domain(jar.getManifest());
        }
    }

    private static Resource resource(Oar oar, String artifact) throws Exception {
        ResourceBuilder builder = new ResourceBuilder();
        builder.addManifest(manifest(oar, artifact));
        return builder.build();
    }

    /** Bundles of ONOS and of its Karaf register services without declaring them. */
    private static boolean isPartOfOnos(Requirement requirement) {
        String filter = requirement.getDirectives().get("filter");
        return requirement.getNamespace().equals("osgi.service")
                && Stream.of("org.onosproject.", "org.apache.karaf.shell.api.")
                        .anyMatch(known -> filter.contains("objectClass=" + known));
    }

    private static List<Capability> onos() throws Exception {
        List<String> lines = new String(
                        ResolutionTest.class
                                .getResourceAsStream("/onos-2.7.0-packages.txt")
                                .readAllBytes(),
                        StandardCharsets.UTF_8)
                .lines()
                .toList();
        ResourceBuilder packages = new ResourceBuilder();
        for (String line : lines) {
            String[] words = line.split(" ");
            packages.addExportPackages(new Parameters(words[0] + ";version=" + words[1]));
        }
        List<Capability> all = new ArrayList<>(packages.build().getCapabilities(null));
        all.add(capability("osgi.extender", "osgi.component", "version:Version", "1.4.0"));
        all.add(capability("osgi.ee", "JavaSE", "version:Version", "17.0.0"));
        return all.stream().collect(Collectors.toList());
    }

    private static Capability capability(String namespace, String name, String... attribute) {
        CapReqBuilder builder = new CapReqBuilder(namespace);
        try {
            builder.addAttribute(namespace, name);
            if (attribute.length == 2) {
                builder.addAttribute("version", org.osgi.framework.Version.valueOf(attribute[1]));
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return builder.setResource(new ResourceBuilder().build()).buildCapability();
    }
}
