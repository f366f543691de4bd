package dev.cairn.runtime.report.plan;

/** Text of an SVG file while it is written: elements, numbers of at most three decimals, escaped text. Mutable. */
public final class SvgText {
  private static final long UNITS = 1000;
  private final StringBuilder text = new StringBuilder();

  /** Any markup, as it stands. */
  SvgText raw(String markup) {
    text.append(markup);
    return this;
  }

  /** A rectangle with its text under the pointer. */
  public void rectangle(String cssClass, double x, double y, double width, double height, String title) {
    text.append("<rect");
    attribute("class", cssClass);
    number("x", x).number("y", y).number("width", width).number("height", height);
    if (title.isEmpty()) {
      text.append("/>\n");
    } else {
      text.append("><title>").append(escaped(title)).append("</title></rect>\n");
    }
  }

  void line(String cssClass, double x1, double y1, double x2, double y2) {
    text.append("<line");
    attribute("class", cssClass);
    number("x1", x1).number("y1", y1).number("x2", x2).number("y2", y2);
    text.append("/>\n");
  }

  /** @param anchor {@code start}, {@code middle} or {@code end} */
  void words(String cssClass, double x, double y, String anchor, String words) {
    text.append("<text");
    attribute("class", cssClass);
    number("x", x).number("y", y);
    if (!anchor.equals("start")) {
      attribute("text-anchor", anchor);
    }
    text.append('>').append(escaped(words)).append("</text>\n");
  }

  private void attribute(String name, String value) {
    if (!value.isEmpty()) {
      text.append(' ').append(name).append("=\"").append(escaped(value)).append('"');
    }
  }

  private SvgText number(String name, double value) {
    text.append(' ').append(name).append("=\"").append(number(value)).append('"');
    return this;
  }

  /** At most three decimals, without zeros at the end: {@code 12.5}. */
  static String number(double value) {
    long units = Math.round(value * UNITS);
    long rest = Math.abs(units % UNITS);
    String whole = (units < 0 ? "-" : "") + Math.abs(units / UNITS);
    if (rest == 0) {
      return units == 0 ? "0" : whole;
    }
    String decimals = Long.toString(UNITS + rest).substring(1);
    int end = decimals.length();
    while (decimals.charAt(end - 1) == '0') {
      end--;
    }
    return whole + "." + decimals.substring(0, end);
  }

  /** A text as XML and HTML need it in texts and attributes; characters that XML can't hold become U+FFFD. */
  public static String escaped(String plain) {
    StringBuilder escaped = new StringBuilder(plain.length());
    plain.codePoints().forEach(it -> {
      switch (it) {
        case '&' -> escaped.append("&amp;");
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '"' -> escaped.append("&quot;");
        default -> escaped.appendCodePoint(isAllowed(it) ? it : 0xFFFD);
      }
    });
    return escaped.toString();
  }

  private static boolean isAllowed(int character) {
    boolean isPlain = character >= ' ' && character != 0x7F && character != 0xFFFE && character != 0xFFFF;
    boolean isSurrogate = character >= 0xD800 && character <= 0xDFFF;
    return character == '\n' || character == '\t' || (isPlain && !isSurrogate);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
