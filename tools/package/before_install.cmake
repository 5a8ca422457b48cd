# Runs before all else that `cmake --install` does. manifest: the list of what an earlier install left.
cmake_minimum_required(VERSION 3.25)
set(CMAKE_INSTALL_DO_STRIP ON)

# The folders that are there already, as deep as others use them too; not those that the earlier install made.
set(prefix "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
file(GLOB folders_before LIST_DIRECTORIES true "${prefix}/*" "${prefix}/*/*" "${prefix}/*/*/*")
while(NOT prefix STREQUAL "/")
  if(EXISTS "${prefix}")
    list(APPEND folders_before "${prefix}")
  endif()
  cmake_path(GET prefix PARENT_PATH prefix)
endwhile()
if(EXISTS "${manifest}")
  file(STRINGS "${manifest}" installed_before)
  list(REMOVE_ITEM folders_before ${installed_before})
endif()
