package io.hooktally.store;

/** Bytes that are not one JSON document. The message says where and why, never what they hold. */
public class InvalidJsonException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** With the reason, free of content. */
  public InvalidJsonException(String message) {
    super(message);
  }
}
