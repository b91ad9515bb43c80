package io.hooktally.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hooktally.store.ContentEncoding.Verdict;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentEncodingTest {
  private static final byte[] TEXT = "{\"id\":\"ü\"}".getBytes(UTF_8);

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "GZIP", " x-gzip "})
  void inflatesGzip(String encoding) throws IOException {
    assertThat(ContentEncoding.decode(encoding, gzip(TEXT))).isEqualTo(TEXT);
  }

  @Test
  void inflatesSeveralMembers() throws IOException {
    ByteArrayOutputStream two = new ByteArrayOutputStream();
    two.write(gzip("{\"id\":".getBytes(UTF_8)));
    two.write(gzip("1}".getBytes(UTF_8)));
    assertThat(ContentEncoding.decode("gzip", two.toByteArray()))
        .asString()
        .isEqualTo("{\"id\":1}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity", "utf-8", "br", "gzip, gzip", ""})
  void leavesWhatItDoesNotKnowAsItCame(String encoding) throws IOException {
    byte[] zipped = gzip(TEXT);
    assertThat(ContentEncoding.decode(encoding, zipped)).isSameAs(zipped);
    assertThat(ContentEncoding.decode(null, zipped)).isSameAs(zipped);
  }

  @Test
  void leavesWhatIsNoGzipAsItCame() {
    assertThat(ContentEncoding.decode("gzip", TEXT)).isSameAs(TEXT);
    assertThat(ContentEncoding.decode("gzip", new byte[0])).isEmpty();
  }

  @Test
  void saysThatItIsBroken() throws IOException {
    byte[] zipped = gzip(TEXT);
    for (byte[] broken :
        new byte[][] {Arrays.copyOf(zipped, zipped.length - 5), Arrays.copyOf(zipped, 3)}) {
      assertThatThrownBy(() -> ContentEncoding.decode("gzip", broken))
          .isInstanceOf(InvalidJsonException.class)
          .hasMessageContaining("cannot be inflated");
    }
    byte[] turned = zipped.clone();
    turned[zipped.length - 8] ^= 1;
    assertThatThrownBy(() -> ContentEncoding.decode("gzip", turned))
        .isInstanceOf(InvalidJsonException.class);
  }

  @Test
  void looksNoFurtherThanTheLimit() throws IOException {
    byte[] bomb = gzip(new byte[50_000_000]);
    assertThat(bomb.length).isLessThan(60_000);
    assertThat(ContentEncoding.check("gzip", bomb, 1 << 20)).isEqualTo(Verdict.TOO_LARGE);
    assertThat(ContentEncoding.check("gzip", bomb, 50_000_000)).isEqualTo(Verdict.FINE);
    assertThat(ContentEncoding.check("gzip", bomb, 49_999_999)).isEqualTo(Verdict.TOO_LARGE);
    assertThat(ContentEncoding.check("gzip", Arrays.copyOf(bomb, 100), 1 << 20))
        .isEqualTo(Verdict.BROKEN);
  }

  @Test
  void tellsWhatItCannotRead() throws IOException {
    assertThat(ContentEncoding.check(null, TEXT, 100)).isEqualTo(Verdict.FINE);
    assertThat(ContentEncoding.check(" Identity", TEXT, 100)).isEqualTo(Verdict.FINE);
    assertThat(ContentEncoding.check("gzip", TEXT, 100)).isEqualTo(Verdict.BROKEN);
    assertThat(ContentEncoding.check("gzip", new byte[0], 100)).isEqualTo(Verdict.BROKEN);
    for (String other : new String[] {"br", "deflate", "gzip, gzip", "utf-8"}) {
      assertThat(ContentEncoding.check(other, gzip(TEXT), 100)).isEqualTo(Verdict.UNKNOWN);
    }
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
      gzip.write(bytes);
    }
    return zipped.toByteArray();
  }
}
