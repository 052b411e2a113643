// WebAssembly's pointers have four bytes, those of an argument block eight.
template <typename T> struct alignas(8) pointer {
  T* address;
  operator T*() const { return address; }
};
