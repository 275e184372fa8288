// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.driver;

/** ONOS's names of this application. */
public final class OnosApp {
    /** The application, and the key of the network-wide section in netcfg. */
    public static final String NAME = "org.sextant.srv6";

    private OnosApp() {}
}
