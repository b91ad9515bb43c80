package io.hooktally.store;

/**
 * A lease that was acquired: the right to work on {@code name} as long as no higher fencing number
 * exists.
 *
 * @param name what is leased, such as {@code run:revenexx:order}
 * @param holder who holds it, for people
 * @param fence the fencing number; rises by one at every acquisition of the name
 */
public record Lease(String name, String holder, long fence) {}
