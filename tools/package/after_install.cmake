# Runs after all else: the folders that were not there before are listed in install_manifest.txt too.
cmake_minimum_required(VERSION 3.25)
foreach(path IN LISTS CMAKE_INSTALL_MANIFEST_FILES)
  cmake_path(GET path PARENT_PATH path)
  while(NOT "$ENV{DESTDIR}${path}" IN_LIST folders_before AND NOT path IN_LIST CMAKE_INSTALL_MANIFEST_FILES)
    list(APPEND CMAKE_INSTALL_MANIFEST_FILES "${path}")
    cmake_path(GET path PARENT_PATH path)
  endwhile()
endforeach()
