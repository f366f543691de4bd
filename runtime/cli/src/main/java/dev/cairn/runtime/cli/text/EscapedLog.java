package dev.cairn.runtime.cli.text;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.pattern.CompositeConverter;

/** {@code %escaped(...)} in the pattern of the log, which names nodes and files: {@link EscapedText}. Stateless. */
public final class EscapedLog extends CompositeConverter<ILoggingEvent> {
  @Override
  protected String transform(ILoggingEvent event, String text) {
    return EscapedText.of(text);
  }
}
