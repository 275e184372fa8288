// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.rest;

/**
 * Marks an OSGi service as a JAX-RS resource of the one web application at {@code /srv6}. A bundle that offers one
 * carries the OpenAPI fragment of its paths as {@code META-INF/sextant/openapi.json}.
 */
public interface RestResource {}
