package io.hooktally.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads bodies through their {@code Content-Encoding}. They are signed, stored and compared as they
 * were sent; only who reads what they say decodes them. Of codings gzip is known. Pure.
 */
public final class ContentEncoding {
  /** The header's name. */
  public static final String HEADER = "Content-Encoding";

  private static final Set<String> PLAIN = Set.of("", "identity");
  private static final Set<String> GZIP = Set.of("gzip", "x-gzip");
  // The largest that config.yml lets in, receive.maxBodySize.
  private static final int MOST = 256 << 20;
  private static final int MAGIC = 0x1f8b;

  private ContentEncoding() {}

  /**
   * What a body says. One that names another coding, or that only says it is gzip, is read as it
   * came.
   *
   * @param encoding the header's value; null where it did not come
   * @throws InvalidJsonException when it begins as gzip and does not go on so, or is endless
   */
  public static byte[] decode(@Nullable String encoding, byte[] body) {
    if (!isGzip(encoding, body)) {
      return body;
    }
    try (InputStream input = inflating(body)) {
      ByteArrayOutputStream decoded = new ByteArrayOutputStream(body.length * 4);
      byte[] block = new byte[8192];
      for (int count = input.read(block); count >= 0; count = input.read(block)) {
        decoded.write(block, 0, count);
        if (decoded.size() > MOST) {
          throw new InvalidJsonException("inflates to more than " + MOST + " bytes");
        }
      }
      return decoded.toByteArray();
    } catch (IOException e) {
      throw new InvalidJsonException("says it is gzip, and cannot be inflated");
    }
  }

  /** Whether a body can be read. */
  public enum Verdict {
    /** It can. */
    FINE,
    /** More comes of it than allowed. */
    TOO_LARGE,
    /** It says it is gzip, and is not. */
    BROKEN,
    /** It names another coding than gzip. */
    UNKNOWN
  }

  /**
   * Whether a body can be read. Keeps nothing of it, and looks no further than the limit.
   *
   * @param encoding the header's value; null where it did not come
   * @param limit bytes that may come of it
   */
  public static Verdict check(@Nullable String encoding, byte[] body, long limit) {
    String coding = coding(encoding);
    if (PLAIN.contains(coding)) {
      return body.length > limit ? Verdict.TOO_LARGE : Verdict.FINE;
    } else if (!GZIP.contains(coding)) {
      return Verdict.UNKNOWN;
    }
    try (InputStream input = inflating(body)) {
      byte[] block = new byte[8192];
      long size = 0;
      for (int count = input.read(block); count >= 0; count = input.read(block)) {
        size += count;
        if (size > limit) {
          return Verdict.TOO_LARGE;
        }
      }
      return Verdict.FINE;
    } catch (IOException e) {
      return Verdict.BROKEN;
    }
  }

  private static String coding(@Nullable String encoding) {
    return encoding == null ? "" : encoding.strip().toLowerCase(Locale.ROOT);
  }

  private static InputStream inflating(byte[] body) throws IOException {
    return new GZIPInputStream(new ByteArrayInputStream(body), 8192);
  }

  private static boolean isGzip(@Nullable String encoding, byte[] body) {
    return GZIP.contains(coding(encoding))
        && body.length > 2
        && ((body[0] & 0xff) << 8 | (body[1] & 0xff)) == MAGIC;
  }
}
