package io.hooktally.service.demo;

import java.time.Instant;

/**
 * One change of one order during the day.
 *
 * @param wave the part of the day it happens in, from 0
 * @param at when, by the platform's clock
 * @param topic the event that the platform owes for it
 * @param after the order after it
 */
record Step(int wave, Instant at, String topic, OrderState after) {
  String orderId() {
    return after.id();
  }
}
