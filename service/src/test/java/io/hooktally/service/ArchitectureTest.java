package io.hooktally.service;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameStartingWith;
import static com.tngtech.archunit.lang.SimpleConditionEvent.violated;
import static com.tngtech.archunit.lang.conditions.ArchConditions.accessTargetWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Calendar;
import java.util.Date;
import org.jspecify.annotations.NullMarked;

/** What the layout and the clock promise, over the main classes of every module. */
@AnalyzeClasses(packages = "io.hooktally", importOptions = ArchitectureTest.MainClasses.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule TIME_IS_HANDED_IN =
      noClasses()
          .that()
          .doNotBelongToAnyOf(HooktallyApplication.class)
          .should(accessTargetWhere(readsTheSystemClock()))
          .because("one InstantSource is made by HooktallyApplication and handed in");

  @ArchTest
  static final ArchRule THE_APPLICATION_ONLY_MAKES_THE_INSTANT_SOURCE =
      noClasses()
          .that(belongToAnyOf(HooktallyApplication.class))
          .should(
              accessTargetWhere(
                  readsTheSystemClock().and(DescribedPredicate.not(makesTheInstantSource()))));

  @ArchTest
  static final ArchRule STORE_KNOWS_THE_DATABASE_ONLY =
      noClasses()
          .that()
          .resideInAPackage("io.hooktally.store..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.hooktally.reconcile..",
              "io.hooktally.service..",
              "io.dropwizard..",
              "com.codahale.metrics..",
              "org.quartz..",
              "okhttp3..");

  @ArchTest
  static final ArchRule RECONCILE_SERVES_NOTHING =
      noClasses()
          .that()
          .resideInAPackage("io.hooktally.reconcile..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.hooktally.service..", "io.dropwizard..", "jakarta.ws.rs..", "jakarta.servlet..");

  @ArchTest
  static final ArchRule ONLY_APPLY_WRITES_THE_REPLICA =
      classes()
          .that()
          .haveFullyQualifiedName("io.hooktally.store.replica.EntityRows")
          .should()
          .onlyBeAccessed()
          .byClassesThat()
          .haveNameMatching("io\\.hooktally\\.store\\.replica\\.(EntityRows|Replica)(\\$.*)?")
          .because("one version rule decides, whatever the lane");

  @ArchTest static final ArchRule NULL_IS_MARKED = classes().should(belongToANullMarkedPackage());

  private static DescribedPredicate<JavaAccess<?>> readsTheSystemClock() {
    return describe("read the system clock", ArchitectureTest::isSystemClock);
  }

  private static DescribedPredicate<JavaAccess<?>> makesTheInstantSource() {
    return describe(
        "make the InstantSource",
        access -> access.getTargetOwner().isEquivalentTo(InstantSource.class));
  }

  private static boolean isSystemClock(JavaAccess<?> access) {
    if (!(access.getTarget() instanceof CodeUnitAccessTarget target)) {
      return false;
    }
    JavaClass owner = target.getOwner();
    String name = target.getName();
    if (owner.isEquivalentTo(System.class)) {
      return name.equals("currentTimeMillis");
    }
    if (owner.isEquivalentTo(InstantSource.class)) {
      return name.equals("system");
    }
    if (owner.isEquivalentTo(Clock.class)) {
      return name.startsWith("system") || name.startsWith("tick");
    }
    if (owner.isEquivalentTo(Date.class)) {
      return name.equals("<init>") && target.getRawParameterTypes().isEmpty();
    }
    if (owner.isAssignableTo(Calendar.class)) {
      return name.equals("<init>") || name.equals("getInstance");
    }
    return nameStartingWith("java.time.").test(owner)
        && name.equals("now")
        && target.getRawParameterTypes().stream()
            .noneMatch(type -> type.isEquivalentTo(Clock.class));
  }

  private static ArchCondition<JavaClass> belongToANullMarkedPackage() {
    return new ArchCondition<>("belong to a @NullMarked package") {
      @Override
      public void check(JavaClass item, ConditionEvents events) {
        if (!item.getPackage().isAnnotatedWith(NullMarked.class)) {
          events.add(
              violated(item, item.getPackageName() + " has no package-info.java with @NullMarked"));
        }
      }
    };
  }

  /** Test classes come as a folder or, once packaged, as a jar of their own. */
  static final class MainClasses implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("/test-classes/") && !location.contains("-tests.jar");
    }
  }
}
