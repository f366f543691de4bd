package dev.cairn.testing;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** A file system over the default one, of whose calls one fails. Channels that stay open are counted. */
public final class FaultyFiles extends FileSystem {
  private final FileSystem real = FileSystems.getDefault();
  private final Calls calls;
  private final Provider provider = new Provider();
  private int open;

  private FaultyFiles(Calls calls) {
    this.calls = calls;
  }

  /** Each call of a file that can fail. */
  private interface Calls {
    void pass(String name) throws IOException;
  }

  public static FaultyFiles of(FaultInTurn fault) {
    return new FaultyFiles(_ -> fault.passFile());
  }

  /** Without a fault; the name of each call is given to the consumer before the call. */
  public static FaultyFiles watched(Consumer<String> names) {
    return new FaultyFiles(names::accept);
  }

  /** The same file or folder, in this file system. */
  public Path path(Path of) {
    return (Path) Proxy.newProxyInstance(Path.class.getClassLoader(), new Class<?>[] {Path.class}, (proxy, method,
      arguments) -> called(proxy, of, method, arguments));
  }

  /** How many channels are open. */
  public synchronized int openChannels() {
    return open;
  }

  private synchronized void count(int change) {
    open += change;
  }

  @SuppressWarnings("ReferenceEquality")
  private Object called(Object proxy, Path of, Method method, Object[] arguments) throws Throwable {
    switch (method.getName()) {
      case "getFileSystem" -> {
        return this;
      }
      case "equals" -> {
        return of.equals(real(arguments[0]));
      }
      case "toRealPath" -> calls.pass("toRealPath");
      default -> {}
    }
    Object[] given = arguments == null ? new Object[0] : arguments.clone();
    for (int i = 0; i < given.length; i++) {
      given[i] = real(given[i]);
    }
    Object answer;
    try {
      answer = method.invoke(of, given);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    return answer == of ? proxy : answer instanceof Path path ? path(path) : answer;
  }

  private Object real(Object given) {
    return given instanceof Path path && Proxy.isProxyClass(path.getClass()) ? real.getPath(path.toString()) : given;
  }

  private Path realPath(Path given) {
    return (Path) real(given);
  }

  @Override
  public FileSystemProvider provider() {
    return provider;
  }

  @Override
  public void close() {}

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public String getSeparator() {
    return real.getSeparator();
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    return real.getRootDirectories();
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return real.getFileStores();
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return real.supportedFileAttributeViews();
  }

  @Override
  public Path getPath(String first, String... more) {
    return path(real.getPath(first, more));
  }

  @Override
  public PathMatcher getPathMatcher(String syntaxAndPattern) {
    PathMatcher matcher = real.getPathMatcher(syntaxAndPattern);
    return path -> matcher.matches(realPath(path));
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    return real.getUserPrincipalLookupService();
  }

  @Override
  public WatchService newWatchService() {
    throw new UnsupportedOperationException();
  }

  private final class Provider extends FileSystemProvider {
    private final FileSystemProvider of = real.provider();

    @Override
    public String getScheme() {
      return "faulty";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
      return FaultyFiles.this;
    }

    @Override
    public Path getPath(URI uri) {
      throw new UnsupportedOperationException();
    }

    @Override
    public SeekableByteChannel newByteChannel(Path path, Set<? extends OpenOption> options,
      FileAttribute<?>... attributes) throws IOException {
      return newFileChannel(path, options, attributes);
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
      calls.pass("newFileChannel");
      return new Channel(of.newFileChannel(realPath(path), options, attributes));
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
      throws IOException {
      calls.pass("newDirectoryStream");
      DirectoryStream<Path> stream = of.newDirectoryStream(realPath(folder), it -> filter.accept(path(it)));
      count(1);
      return new DirectoryStream<>() {
        @Override
        public Iterator<Path> iterator() {
          Iterator<Path> all = stream.iterator();
          return new Iterator<>() {
            @Override
            public boolean hasNext() {
              return all.hasNext();
            }

            @Override
            public Path next() {
              return path(all.next());
            }
          };
        }

        @Override
        public void close() throws IOException {
          count(-1);
          stream.close();
        }
      };
    }

    @Override
    public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
      calls.pass("createDirectory");
      of.createDirectory(realPath(folder), attributes);
    }

    @Override
    public void delete(Path path) throws IOException {
      calls.pass("delete");
      of.delete(realPath(path));
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) throws IOException {
      calls.pass("copy");
      of.copy(realPath(source), realPath(target), options);
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
      calls.pass("move");
      of.move(realPath(source), realPath(target), options);
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
      calls.pass("isSameFile");
      return of.isSameFile(realPath(path), realPath(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
      return of.isHidden(realPath(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
      calls.pass("getFileStore");
      return Files.getFileStore(realPath(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
      calls.pass("checkAccess");
      of.checkAccess(realPath(path), modes);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
      return of.getFileAttributeView(realPath(path), type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
      throws IOException {
      calls.pass("readAttributes");
      return of.readAttributes(realPath(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
      calls.pass("readAttributes");
      return of.readAttributes(realPath(path), attributes, options);
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
      calls.pass("setAttribute");
      of.setAttribute(realPath(path), attribute, value, options);
    }
  }

  /** A channel of which each call may fail, but for closing. */
  private final class Channel extends FileChannel {
    private final FileChannel of;

    Channel(FileChannel of) {
      this.of = of;
      count(1);
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
      calls.pass("read");
      return of.read(to);
    }

    @Override
    public long read(ByteBuffer[] to, int offset, int length) throws IOException {
      calls.pass("read");
      return of.read(to, offset, length);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
      calls.pass("write");
      return of.write(from);
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
      calls.pass("write");
      return of.write(from, offset, length);
    }

    @Override
    public long position() throws IOException {
      return of.position();
    }

    @Override
    public FileChannel position(long place) throws IOException {
      calls.pass("position");
      of.position(place);
      return this;
    }

    @Override
    public long size() throws IOException {
      calls.pass("size");
      return of.size();
    }

    @Override
    public FileChannel truncate(long bytes) throws IOException {
      calls.pass("truncate");
      of.truncate(bytes);
      return this;
    }

    @Override
    public void force(boolean metadata) throws IOException {
      calls.pass("force");
      of.force(metadata);
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
      calls.pass("transferTo");
      return of.transferTo(position, count, target);
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) throws IOException {
      calls.pass("transferFrom");
      return of.transferFrom(source, position, count);
    }

    @Override
    public int read(ByteBuffer to, long position) throws IOException {
      calls.pass("read");
      return of.read(to, position);
    }

    @Override
    public int write(ByteBuffer from, long position) throws IOException {
      calls.pass("write");
      return of.write(from, position);
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long bytes) throws IOException {
      calls.pass("map");
      return of.map(mode, position, bytes);
    }

    @Override
    public MemorySegment map(MapMode mode, long offset, long bytes, Arena arena) throws IOException {
      calls.pass("map");
      return of.map(mode, offset, bytes, arena);
    }

    @Override
    public FileLock lock(long position, long bytes, boolean isShared) throws IOException {
      calls.pass("lock");
      return of.lock(position, bytes, isShared);
    }

    @Override
    public FileLock tryLock(long position, long bytes, boolean isShared) throws IOException {
      calls.pass("tryLock");
      return of.tryLock(position, bytes, isShared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
      count(-1);
      of.close();
    }
  }
}
