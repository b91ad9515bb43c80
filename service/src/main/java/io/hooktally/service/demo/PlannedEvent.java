package io.hooktally.service.demo;

/**
 * An event that the platform delivers, once or more.
 *
 * @param id the same over all its deliveries
 * @param step the change it speaks of
 */
record PlannedEvent(String id, Step step) {}
