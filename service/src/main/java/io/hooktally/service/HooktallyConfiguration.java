package io.hooktally.service;

import io.dropwizard.core.Configuration;

/** Everything that config.yml may say. */
public final class HooktallyConfiguration extends Configuration {}
