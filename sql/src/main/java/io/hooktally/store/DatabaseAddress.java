package io.hooktally.store;

/**
 * Where a database is and who we are there.
 *
 * @param url a JDBC URL, {@code jdbc:postgresql://host:5432/database}
 * @param user the role to log in as; empty: whatever the URL says
 * @param password its password; not configured: whatever the URL says
 */
public record DatabaseAddress(String url, String user, Secret password) {
  /** Without the password and without the URL's parameters, which may hold one. */
  @Override
  public String toString() {
    int parameters = url.indexOf('?');
    return (parameters < 0 ? url : url.substring(0, parameters))
        + (user.isEmpty() ? "" : " as " + user);
  }
}
