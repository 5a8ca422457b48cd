# Objects for riscv64 by Debian's cross compiler. What would be linked is an empty file, so the headers of this system's
# libraries do, which are found by the name of its architecture.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(CMAKE_LIBRARY_ARCHITECTURE $ENV{HOST_LIBRARIES})
set(CMAKE_CXX_COMPILER riscv64-linux-gnu-g++)
set(CMAKE_CXX_FLAGS_INIT "-idirafter /usr/include -idirafter /usr/include/$ENV{HOST_LIBRARIES}")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
foreach(kind LINK_EXECUTABLE CREATE_SHARED_LIBRARY CREATE_SHARED_MODULE)
  set(CMAKE_CXX_${kind} "${CMAKE_COMMAND} -E touch <TARGET>")
endforeach()
