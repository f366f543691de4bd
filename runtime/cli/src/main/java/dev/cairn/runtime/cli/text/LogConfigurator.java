package dev.cairn.runtime.cli.text;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Writes warnings to standard error, as {@link EscapedText}. In Java, because logback takes longer to read a file than
 * Cairn takes to plan a small model.
 */
public final class LogConfigurator extends ContextAwareBase implements Configurator {
  static final String APPENDER = "STDERR";

  private static final class Line extends LayoutBase<ILoggingEvent> {
    @Override
    public String doLayout(ILoggingEvent event) {
      IThrowableProxy thrown = event.getThrowableProxy();
      return "cairn: " + EscapedText.of(event.getFormattedMessage() + System.lineSeparator() + (thrown == null
        ? ""
        : ThrowableProxyUtil.asString(thrown) + System.lineSeparator()));
    }
  }

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    var line = new Line();
    line.setContext(context);
    line.start();
    var encoder = new LayoutWrappingEncoder<ILoggingEvent>();
    encoder.setContext(context);
    encoder.setLayout(line);
    encoder.start();
    var appender = new ConsoleAppender<ILoggingEvent>();
    appender.setContext(context);
    appender.setName(APPENDER);
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    appender.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.addAppender(appender);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}
