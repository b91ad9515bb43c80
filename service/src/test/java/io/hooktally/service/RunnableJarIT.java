package io.hooktally.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** The one file that users run. */
class RunnableJarIT {

  private static final String JAR = System.getProperty("hooktally.jar");

  @Test
  void namesTheApplicationAndIsMultiRelease() throws IOException {
    try (JarFile jar = new JarFile(JAR)) {
      Attributes manifest = jar.getManifest().getMainAttributes();

      assertThat(manifest.getValue(Attributes.Name.MAIN_CLASS))
          .isEqualTo(HooktallyApplication.class.getName());
      assertThat(manifest.getValue(Attributes.Name.MULTI_RELEASE)).isEqualTo("true");
    }
  }

  @Test
  void carriesNoSignatureOrModuleOfTheJarsItWasMadeFrom() throws IOException {
    try (JarFile jar = new JarFile(JAR)) {
      assertThat(jar.stream().map(ZipEntry::getName))
          .noneMatch(name -> name.matches("META-INF/[^/]+\\.(SF|DSA|RSA)"))
          .noneMatch(name -> name.endsWith("module-info.class"));
    }
  }

  @Test
  void carriesPostgresForEveryPlatform() throws IOException {
    try (JarFile jar = new JarFile(JAR)) {
      assertThat(jar.stream().map(ZipEntry::getName).filter(name -> name.endsWith(".txz")))
          .contains(
              "postgres-darwin-arm_64.txz",
              "postgres-darwin-x86_64.txz",
              "postgres-linux-arm_64.txz",
              "postgres-linux-x86_64.txz",
              "postgres-windows-x86_64.txz");
    }
  }
}
