/** The application: everything that listens or serves. */
@NullMarked
package io.hooktally.service;

import org.jspecify.annotations.NullMarked;
