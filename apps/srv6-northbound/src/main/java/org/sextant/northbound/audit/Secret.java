// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a resource's method that answers a secret, or whose reading is worth a line for another reason. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Secret {}
