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
 * were sent; only who reads what they say decodes them. Of codings gzip is known. A body that names
 * another, or that only says it is gzip, is read as it came: senders have been seen to write a
 * charset there, and proxies to inflate bodies and leave the header. Pure.
 */
public final class ContentEncoding {
  /** The header's name. */
  public static final String HEADER = "Content-Encoding";

  private static final Set<String> GZIP = Set.of("gzip", "x-gzip");
  // The largest that config.yml lets in, receive.maxBodySize.
  private static final int MOST = 256 << 20;
  private static final int MAGIC = 0x1f8b;

  private ContentEncoding() {}

  /**
   * What a body says.
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

  /**
   * Whether more than {@code limit} bytes come of a body. Looks no further than that, and keeps
   * nothing. What cannot be inflated is as large as it gets until then.
   */
  public static boolean isLarger(@Nullable String encoding, byte[] body, long limit) {
    if (!isGzip(encoding, body)) {
      return body.length > limit;
    }
    try (InputStream input = inflating(body)) {
      byte[] block = new byte[8192];
      long size = 0;
      for (int count = input.read(block); count >= 0; count = input.read(block)) {
        size += count;
        if (size > limit) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      return false;
    }
  }

  private static InputStream inflating(byte[] body) throws IOException {
    return new GZIPInputStream(new ByteArrayInputStream(body), 8192);
  }

  private static boolean isGzip(@Nullable String encoding, byte[] body) {
    return encoding != null
        && GZIP.contains(encoding.strip().toLowerCase(Locale.ROOT))
        && body.length > 2
        && ((body[0] & 0xff) << 8 | (body[1] & 0xff)) == MAGIC;
  }
}
