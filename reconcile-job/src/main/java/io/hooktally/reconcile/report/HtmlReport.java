package io.hooktally.reconcile.report;

import freemarker.core.TemplateClassResolver;
import freemarker.template.Configuration;
import freemarker.template.Template;
import freemarker.template.TemplateException;
import freemarker.template.TemplateExceptionHandler;
import io.hooktally.reconcile.ReconcileException;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.Map;

/**
 * A report as one HTML page that loads nothing from anywhere and runs no script. Every value is
 * escaped by the template's output format. Thread-safe.
 */
public final class HtmlReport {
  private final Template template;

  /** Reads the template. */
  public HtmlReport() {
    Configuration configuration = new Configuration(Configuration.VERSION_2_3_34);
    configuration.setClassForTemplateLoading(HtmlReport.class, "");
    configuration.setDefaultEncoding("UTF-8");
    configuration.setLocale(Locale.ROOT);
    configuration.setNumberFormat("0");
    configuration.setTemplateExceptionHandler(TemplateExceptionHandler.RETHROW_HANDLER);
    configuration.setLogTemplateExceptions(false);
    configuration.setNewBuiltinClassResolver(TemplateClassResolver.ALLOWS_NOTHING_RESOLVER);
    try {
      this.template = configuration.getTemplate("report.ftlh");
    } catch (IOException e) {
      throw new ReconcileException("the template of the report is not in the program", e);
    }
  }

  /** Writes the page; the writer stays open. */
  public void write(FullReport report, Writer out) throws IOException {
    try {
      template.process(Map.of("page", ReportPage.of(report)), out);
    } catch (TemplateException e) {
      throw new ReconcileException("the report of run " + report.report().id() + " has no page", e);
    }
  }
}
