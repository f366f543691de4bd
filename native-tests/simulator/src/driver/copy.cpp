#include "copy.h"

#include <cstring>

#include "capture.h"
#include "failure.h"
#include "memory_map.h"

namespace sim {

namespace {

constexpr size_t kMost = size_t{1} << 60;

// One end of a copy: where each row lies.
struct Side {
  CUmemorytype type;
  char* base;
  size_t x, y, z, pitch, rows;

  char* row(size_t plane, size_t line) const { return base + ((z + plane) * rows + y + line) * pitch + x; }
};

void* unified(CUmemorytype type, const void* host, CUdeviceptr device) {
  return type == CU_MEMORYTYPE_HOST ? const_cast<void*>(host) : reinterpret_cast<void*>(device);
}

Side source(const CUDA_MEMCPY3D& c) {
  return {c.srcMemoryType, static_cast<char*>(unified(c.srcMemoryType, c.srcHost, c.srcDevice)),
          c.srcXInBytes, c.srcY, c.srcZ, c.srcPitch, c.srcHeight};
}

Side target(const CUDA_MEMCPY3D& c) {
  return {c.dstMemoryType, static_cast<char*>(unified(c.dstMemoryType, c.dstHost, c.dstDevice)),
          c.dstXInBytes, c.dstY, c.dstZ, c.dstPitch, c.dstHeight};
}

bool isEmpty(const CUDA_MEMCPY3D& c) { return c.WidthInBytes == 0 || c.Height == 0 || c.Depth == 0; }

size_t spanBytes(const Side& side, const CUDA_MEMCPY3D& c) {
  using Wide = unsigned __int128;
  const Wide lines = static_cast<Wide>(c.Depth - 1) * side.rows + (c.Height - 1);
  requireValue(lines < kMost && side.pitch < kMost && lines * side.pitch < kMost && c.WidthInBytes < kMost,
               "more than any memory");
  return static_cast<size_t>(lines * side.pitch) + c.WidthInBytes;
}

Reach reachOf(const Side& side, const CUDA_MEMCPY3D& c) {
  const char* first = side.row(0, 0);
  auto range = memoryMap().find(first);
  if (!range) {
    requireValue(side.type != CU_MEMORYTYPE_DEVICE, "not an address of the device");
    return Reach::pageable;
  }
  requireValue(memoryMap().covers(first, spanBytes(side, c)), "past the end of the allocation");
  requireValue(side.type != CU_MEMORYTYPE_HOST || range->onHost(), "memory of the device where the host's was meant");
  return range->onDevice() ? Reach::device : Reach::pinned;
}

void fillPitch(size_t& pitch, size_t& rows, size_t x, const CUDA_MEMCPY3D& c) {
  if (pitch == 0 && c.Height == 1 && c.Depth == 1) pitch = x + c.WidthInBytes;
  if (rows == 0) rows = c.Height;
  requireValue(pitch >= x + c.WidthInBytes, "a row is longer than the pitch");
  requireValue(c.Depth == 1 || rows >= c.Height, "a plane has fewer rows than are copied");
}

void checkSide(const Side& side) {
  bool known = side.type >= CU_MEMORYTYPE_HOST && side.type <= CU_MEMORYTYPE_UNIFIED;
  require(side.type != CU_MEMORYTYPE_ARRAY, CUDA_ERROR_NOT_SUPPORTED, "arrays are not simulated");
  requireValue(known, "no such memory type");
  requireValue(side.base != nullptr, "null address");
}

// The source as it is now, in a buffer that lives as long as the work.
class StagedCopyWork : public CopyWork {
 public:
  StagedCopyWork(const CUDA_MEMCPY3D& shape, std::unique_ptr<char[]> buffer)
      : CopyWork(shape), buffer(std::move(buffer)) {}

 private:
  const std::unique_ptr<char[]> buffer;
};

WorkPointer staged(const CUDA_MEMCPY3D& c) {
  size_t width = c.WidthInBytes;
  std::unique_ptr<char[]> buffer(new char[width * c.Height * c.Depth]);
  Side from = source(c);
  for (size_t plane = 0; plane < c.Depth; plane++) {
    for (size_t line = 0; line < c.Height; line++) {
      memcpy(buffer.get() + (plane * c.Height + line) * width, from.row(plane, line), width);
    }
  }
  CUDA_MEMCPY3D moved = c;
  moved.srcMemoryType = CU_MEMORYTYPE_HOST;
  moved.srcHost = buffer.get();
  moved.srcXInBytes = moved.srcY = moved.srcZ = 0;
  moved.srcPitch = width;
  moved.srcHeight = c.Height;
  return std::make_shared<StagedCopyWork>(moved, std::move(buffer));
}

}  // namespace

CUDA_MEMCPY3D linearCopy(CUmemorytype toType, void* to, CUmemorytype fromType, const void* from, size_t bytes) {
  CUDA_MEMCPY3D c{};
  c.srcMemoryType = fromType;
  c.srcHost = from;
  c.srcDevice = reinterpret_cast<CUdeviceptr>(from);
  c.dstMemoryType = toType;
  c.dstHost = to;
  c.dstDevice = reinterpret_cast<CUdeviceptr>(to);
  c.WidthInBytes = bytes;
  c.Height = c.Depth = 1;
  return c;
}

CUDA_MEMCPY3D flatCopy(const CUDA_MEMCPY2D& shape) {
  CUDA_MEMCPY3D c =
      linearCopy(shape.dstMemoryType, shape.dstHost, shape.srcMemoryType, shape.srcHost, shape.WidthInBytes);
  c.srcDevice = shape.srcDevice;
  c.dstDevice = shape.dstDevice;
  c.srcXInBytes = shape.srcXInBytes;
  c.srcY = shape.srcY;
  c.srcPitch = shape.srcPitch;
  c.dstXInBytes = shape.dstXInBytes;
  c.dstY = shape.dstY;
  c.dstPitch = shape.dstPitch;
  c.Height = shape.Height;
  return c;
}

CUDA_MEMCPY3D checkedCopy(CUDA_MEMCPY3D c) {
  if (isEmpty(c)) return c;
  fillPitch(c.srcPitch, c.srcHeight, c.srcXInBytes, c);
  fillPitch(c.dstPitch, c.dstHeight, c.dstXInBytes, c);
  checkSide(source(c));
  checkSide(target(c));
  reachOf(source(c), c);
  reachOf(target(c), c);
  return c;
}

Reach sourceReach(const CUDA_MEMCPY3D& shape) { return reachOf(source(shape), shape); }
Reach targetReach(const CUDA_MEMCPY3D& shape) { return reachOf(target(shape), shape); }

std::string CopyWork::what() const {
  auto letter = [](CUmemorytype type) {
    return type == CU_MEMORYTYPE_HOST ? "H" : type == CU_MEMORYTYPE_DEVICE ? "D" : "U";
  };
  return std::string("copy ") + letter(shape.srcMemoryType) + "to" + letter(shape.dstMemoryType) +
         " bytes=" + std::to_string(shape.WidthInBytes * shape.Height * shape.Depth);
}

CopyWork::CopyWork(const CUDA_MEMCPY3D& shape)
    : shape(shape), sourceKnown(memoryMap().find(source(shape).row(0, 0)).has_value()),
      targetKnown(memoryMap().find(target(shape).row(0, 0)).has_value()) {}

static bool stillThere(const Side& side, bool known, const CUDA_MEMCPY3D& c) {
  return !known || memoryMap().covers(side.row(0, 0), spanBytes(side, c));
}

Fault CopyWork::run(Stream&) const {
  Side from = source(shape), to = target(shape);
  bool there = stillThere(from, sourceKnown, shape) && stillThere(to, targetKnown, shape);
  if (!there) return {CUDA_ERROR_ILLEGAL_ADDRESS, "the memory was freed before the copy ran"};
  for (size_t plane = 0; plane < shape.Depth; plane++) {
    for (size_t line = 0; line < shape.Height; line++) {
      memmove(to.row(plane, line), from.row(plane, line), shape.WidthInBytes);
    }
  }
  return {};
}

void copy(const StreamPointer& stream, const CUDA_MEMCPY3D& wanted, bool synchronous) {
  if (isEmpty(wanted)) return;
  CUDA_MEMCPY3D shape = checkedCopy(wanted);
  Reach from = sourceReach(shape), to = targetReach(shape);
  auto work = std::make_shared<CopyWork>(shape);
  // Between two places of the device even a synchronous copy returns at once.
  bool onHost = from != Reach::device || to != Reach::device;
  if (synchronous && onHost) return issueAndWait(stream, work);
  if (from != Reach::pageable && to != Reach::pageable) return void(issue(stream, work));
  // A graph would touch pageable memory whenever it is launched; for the JVM's arrays that is long after they moved.
  refuseIfCapturing(stream);
  if (to == Reach::pageable) return issueAndWait(stream, work);
  issue(stream, staged(shape));
}

}  // namespace sim
