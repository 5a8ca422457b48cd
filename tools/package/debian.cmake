# Run by cpack between installing and packing: what Debian wants of a package and `cmake --install` need not do.
cmake_minimum_required(VERSION 3.25)
find_program(shlibdeps dpkg-shlibdeps REQUIRED)  # Without these two the package would depend on nothing.
find_program(file file REQUIRED)
set(tools ${CPACK_TEMPORARY_DIRECTORY}/attnutils/usr/share)
set(library ${CPACK_TEMPORARY_DIRECTORY}/libattn-dev/usr/share)
file(MAKE_DIRECTORY ${tools}/lintian/overrides ${library}/doc/libattn-dev)
file(COPY_FILE ${CMAKE_CURRENT_LIST_DIR}/lintian-overrides ${tools}/lintian/overrides/attnutils)
file(COPY_FILE ${tools}/doc/attnutils/copyright ${library}/doc/libattn-dev/copyright)

# The newest section of CHANGELOG.md in Debian's form.
execute_process(COMMAND sed -n "/^- /,/^## /{/^## /d;s/^- /  * /;s/^  \\([^*]\\)/    \\1/;p}"
                        ${CMAKE_CURRENT_LIST_DIR}/../../CHANGELOG.md
                COMMAND fmt -t -w 79
                OUTPUT_VARIABLE changes COMMAND_ERROR_IS_FATAL ANY)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(changelog ${tools}/doc/attnutils/changelog)
file(WRITE ${changelog} "attnutils (${CPACK_DEBIAN_PACKAGE_VERSION}) unstable; urgency=medium\n\n${changes}\n"
                        " -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}\n")
file(GLOB pages ${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/man/man*/*)
execute_process(COMMAND gzip -9n ${pages} ${changelog} COMMAND_ERROR_IS_FATAL ANY)
file(COPY_FILE ${changelog}.gz ${library}/doc/libattn-dev/changelog.gz)
# Whatever the umask.
execute_process(COMMAND chmod -R u=rwX,go=rX ${CPACK_TEMPORARY_DIRECTORY} COMMAND_ERROR_IS_FATAL ANY)
