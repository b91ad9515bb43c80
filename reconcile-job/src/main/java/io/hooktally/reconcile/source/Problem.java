package io.hooktally.reconcile.source;

/**
 * Something in the configuration that cannot work, told so that a person can mend it.
 *
 * @param key the full key, {@code sources.shop.api.url}
 * @param came what stands there, never a secret
 * @param wanted the value's shape
 * @param remedy what to write instead
 */
public record Problem(String key, String came, String wanted, String remedy) {
  @Override
  public String toString() {
    return key + ": got " + came + ", wanted " + wanted + ". " + remedy;
  }
}
