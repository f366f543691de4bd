package dev.cairn.djl;

import ai.djl.engine.Engine;
import ai.djl.engine.EngineProvider;

/** The service by which DJL finds Cairn. */
public final class CairnEngineProvider implements EngineProvider {
  private static final String TRACKING = "OPT_OUT_TRACKING";

  /** DJL makes this one before it would ask the network for the cloud it runs in, and report to its makers. */
  public CairnEngineProvider() {
    if (System.getenv(TRACKING) == null && System.getProperty(TRACKING) == null) {
      System.setProperty(TRACKING, "true");
    }
  }

  @Override
  public String getEngineName() {
    return CairnEngine.NAME;
  }

  @Override
  public int getEngineRank() {
    return CairnEngine.RANK;
  }

  @Override
  public Engine getEngine() {
    return CairnEngine.INSTANCE;
  }
}
