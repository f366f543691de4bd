package dev.cairn.kernels.cuda.load;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** No GPU is usable on this machine. The exception has the reason, and the facts that show it. */
public final class CudaUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The reason. */
  public enum Reason {
    /** JCuda has natives for Linux on x86-64 only. */
    WRONG_PLATFORM("there are no natives for this platform"),
    /** JCuda's classes are not on the class path: Cairn's artifact {@code cairn-cuda} brings them. */
    NO_BINDING("JCuda is not on the class path"),
    /** The JVM's options forbid native access. */
    NO_NATIVE_ACCESS("Java may not load native code"),
    /** There is no {@code libcuda.so.1}. */
    NO_DRIVER("there is no NVIDIA driver"),
    /** There is a driver, but it cannot be loaded, or its calls fail. */
    DRIVER_BROKEN("the NVIDIA driver does not work"),
    /** The driver works, but is too old for JCuda's natives. */
    DRIVER_TOO_OLD("the NVIDIA driver is too old"),
    /** The driver works, but finds no GPU. */
    NO_DEVICE("the NVIDIA driver finds no GPU"),
    /** Only NVRTC is missing, and Cairn was built without precompiled kernels. */
    NO_COMPILER("there is no NVRTC to compile kernels with"),
    /** There is no NVRTC, and the driver or the device does not accept the precompiled kernels. */
    KERNELS_REFUSED("there is no NVRTC, and kernels compiled at build time cannot be used"),
    /** There is no folder from which JCuda's natives can be loaded. */
    CACHE_UNUSABLE("there is no folder to load natives from"),
    /** JCuda's native does not load, or was loaded from another place. */
    BINDING_BROKEN("JCuda's native cannot be loaded"),
    /** This process has already loaded another driver, and can load only one. */
    ALREADY_BOUND("this process holds another driver already");

    private final String words;

    Reason(String words) {
      this.words = words;
    }

    /** The reason as text for users. */
    public String words() {
      return words;
    }
  }

  private final Reason reason;
  private final transient Map<String, String> facts;

  CudaUnavailable(Reason reason, Map<String, String> facts, @Nullable Throwable cause) {
    super(message(reason, facts), cause);
    this.reason = reason;
    this.facts = new TreeMap<>(facts);
  }

  /** @param facts observed facts, by name */
  public CudaUnavailable(Reason reason, Map<String, String> facts) {
    this(reason, facts, null);
  }

  private static String message(Reason reason, Map<String, String> facts) {
    var text = new StringBuilder(reason.words());
    new TreeMap<>(facts).forEach((key, value) -> text.append(text.indexOf(": ") < 0 ? ": " : " ").append(key)
      .append('=').append(value));
    return text.toString();
  }

  public Reason reason() {
    return reason;
  }

  /** The observed facts, by name. */
  public Map<String, String> facts() {
    return new TreeMap<>(facts);
  }
}
