package dev.cairn.kernels.cuda.convolution;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.cuda.blas.Cublas;
import dev.cairn.kernels.cuda.dnn.ConvolutionAlgorithm;
import dev.cairn.kernels.cuda.dnn.Cudnn;
import dev.cairn.kernels.cuda.dnn.CudnnFailure;
import dev.cairn.kernels.cuda.dnn.CudnnOnDemand;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code Conv(x, w, bias?)} with the fastest kernel on this device: Cairn's own, cuBLAS, or an algorithm of cuDNN. For
 * {@link ConvolutionChoice#CUDNN}, it is the first algorithm that works. Candidates are measured once for each distinct
 * convolution, when a plan queries its workspace. They run in memory that is freed at once. A choice is final. This
 * kernel accepts only convolutions that cuDNN supports, so nothing is measured without cuDNN.
 */
public final class MeasuredConvolution implements Kernel {
  private static final Logger LOG = LoggerFactory.getLogger(MeasuredConvolution.class);
  private static final String OWN = "own";
  private static final String CUBLAS = "cuBLAS";
  private static final String CUDNN = "cuDNN ";
  /** The number of algorithms to try. Algorithms that cuDNN expects to be slower are hardly ever the fastest. */
  private static final int MOST_ALGORITHMS = 3;
  /** A candidate replaces an earlier one only if it takes less than this part of its time. Otherwise noise decides. */
  private static final double CLEARLY = 0.95;

  private final KernelLibrary library;
  private final Optional<Cublas> cublas;
  private final CudnnOnDemand cudnn;
  private final ConvolutionChoice how;
  private final ChosenKernels chosen;
  private final KernelTimer timer;
  private final Set<KernelSignature> failed = ConcurrentHashMap.newKeySet();

  /**
   * @param chosen earlier choices; new ones are stored there
   * @param timer a timer for the library's device
   */
  public MeasuredConvolution(KernelLibrary library, Optional<Cublas> cublas, CudnnOnDemand cudnn, ConvolutionChoice how,
    ChosenKernels chosen, KernelTimer timer) {
    this.library = library;
    this.cublas = cublas;
    this.cudnn = cudnn;
    this.how = how;
    this.chosen = chosen;
    this.timer = timer;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    return CudnnConvolution.describes(signature) && !failed.contains(signature) && cudnn.get().map(it -> knows(it,
      signature)).orElse(false);
  }

  /** Whether cuDNN supports a call. Once it has failed at a call, other kernels compute that call. */
  private boolean knows(Cudnn there, KernelSignature signature) {
    try {
      return CudnnConvolution.asAdvised(library, there).accepts(signature);
    } catch (CudnnFailure e) {
      if (failed.add(signature)) {
        LOG.warn("cuDNN fails, and does not serve this convolution: convolution={} {}", signature, e.getMessage());
      }
      return false;
    }
  }

  @Override
  public long workspaceBytes(KernelSignature signature) {
    return choice(signature).kernel().workspaceBytes(signature);
  }

  @Override
  public void run(KernelCall call) {
    prepare(call).run();
  }

  @Override
  public Runnable prepare(KernelCall call) {
    return choice(KernelSignature.of(call)).kernel().prepare(call);
  }

  /** The name of the kernel for a call. Chooses it if this has not happened before. */
  public String chosenFor(KernelSignature signature) {
    return choice(signature).name();
  }

  private synchronized Contender choice(KernelSignature signature) {
    List<Contender> standing = standing(signature);
    List<Contender> all = new ArrayList<>(standing);
    all.addAll(ofCudnn(signature));
    var key = new ChosenKernels.Key(library.device().id(), library.ofFloats(), how, all.stream().map(Contender::name)
      .toList(), signature);
    // Another session may have chosen meanwhile. A plan relies on a single choice.
    String name = chosen.find(key).orElseGet(() -> chosen.keep(key, winner(all, standing.size(), signature).name()));
    return all.stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow();
  }

  /** The candidates without cuDNN, in the catalog's order of preference. */
  private List<Contender> standing(KernelSignature signature) {
    List<Contender> all = new ArrayList<>();
    cublas.map(it -> new CublasConvolution(library, it, library.ofFloats())).filter(it -> it.accepts(signature))
      .ifPresent(it -> all.add(new Contender(CUBLAS, it)));
    var own = new CudaConvolution(library);
    if (own.accepts(signature)) {
      all.add(new Contender(OWN, own));
    }
    return all;
  }

  private List<Contender> ofCudnn(KernelSignature signature) {
    Cudnn there = cudnn.get().orElseThrow(() -> new IllegalStateException("there is no cuDNN for a call that it was "
      + "to serve: signature=" + signature));
    List<ConvolutionAlgorithm> advised = CudnnConvolution.asAdvised(library, there).algorithms(signature);
    return advised.stream().limit(MOST_ALGORITHMS).map(it -> new Contender(CUDNN + it.name(), CudnnConvolution.by(
      library, there, it.number()))).toList();
  }

  /** @param standing the number of candidates without cuDNN */
  private Contender winner(List<Contender> all, int standing, KernelSignature signature) {
    try (var contest = new ConvolutionContest(library.device(), signature)) {
      return how == ConvolutionChoice.MEASURED
        ? fastest(all, contest, signature)
        : firstThatWorks(all, standing, contest, signature);
    } catch (CudaFailure e) {
      if (!e.isOutOfMemory()) {
        throw e;
      }
      LOG.info("not tried for want of device memory: convolution={} kernel={}", words(signature), all.getFirst()
        .name());
      return all.getFirst();
    }
  }

  private Contender fastest(List<Contender> all, ConvolutionContest contest, KernelSignature signature) {
    Contender best = all.getFirst();
    double leastMillis = Double.POSITIVE_INFINITY;
    StringBuilder times = new StringBuilder();
    for (Contender contender : all) {
      OptionalDouble millis = contest.run(contender, Optional.of(timer));
      if (millis.isPresent()) {
        times.append(String.format(Locale.ROOT, " %s=%.3f", contender.name().replace(' ', '_'), millis.getAsDouble()));
        if (millis.getAsDouble() < leastMillis * CLEARLY) {
          best = contender;
          leastMillis = millis.getAsDouble();
        }
      }
    }
    LOG.info("measured: convolution={} kernel={} millis:{}", words(signature), best.name(), times);
    return best;
  }

  private static Contender firstThatWorks(List<Contender> all, int standing, ConvolutionContest contest,
    KernelSignature signature) {
    if (standing > 0) {
      contest.run(all.getFirst(), Optional.empty());
    }
    Contender best = all.subList(standing, all.size()).stream().filter(it -> contest.run(it, Optional.empty())
      .isPresent()).findFirst().orElse(all.getFirst());
    LOG.info("chosen: convolution={} kernel={}", words(signature), best.name());
    return best;
  }

  private static String words(KernelSignature signature) {
    return "%s * %s %s".formatted(signature.input(0), signature.input(1), signature.attributes());
  }
}
