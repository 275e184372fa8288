// SPDX-License-Identifier: Apache-2.0
package org.sextant.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The core knows nobody. */
@AnalyzeClasses(packages = "org.sextant.core", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule the_core_depends_on_java_json_and_the_contract_alone = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "com.fasterxml.jackson..", "org.sextant.core..", "org.sextant.contract");

    @ArchTest
    static final ArchRule values_do_not_know_who_uses_them = classes()
            .that()
            .resideInAnyPackage(
                    "org.sextant.core.ip", "org.sextant.core.table", "org.sextant.core.sid", "org.sextant.core.net")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "com.fasterxml.jackson..",
                    "org.sextant.contract",
                    "org.sextant.core",
                    "org.sextant.core.json",
                    "org.sextant.core.ip",
                    "org.sextant.core.table",
                    "org.sextant.core.sid",
                    "org.sextant.core.net");

    @ArchTest
    static final ArchRule packages_form_no_circle =
            slices().matching("org.sextant.core.(*)..").should().beFreeOfCycles();
}
