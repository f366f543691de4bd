package dev.cairn.runtime.cli.doctor;

/** Java may load native code, and says nothing about it. */
final class NativeAccessCheck implements Check {
  private static final String CHECK = "native access";
  private static final String REMEDY = "start Java with --enable-native-access=ALL-UNNAMED, as ./cairn does";

  @Override
  public Finding look(Host host) {
    return switch (host.java().nativeAccess()) {
      case ENABLED -> Finding.fine(CHECK, "Java may load native code", "enabled for the unnamed module");
      case WITH_A_WARNING -> new Finding(Severity.LOSS, CHECK, "Java warns of native code at every start",
        "not enabled for the unnamed module", REMEDY);
      case DENIED -> new Finding(Severity.NO_GPU, CHECK, "Java may not load native code",
        "not enabled for the unnamed module, and --illegal-native-access=deny is set", REMEDY);
    };
  }
}
