# Run by cpack between installing and packing: what Debian wants of a package and `cmake --install` need not do.
cmake_minimum_required(VERSION 3.25)
find_program(shlibdeps dpkg-shlibdeps REQUIRED)  # Without these two the package would depend on nothing.
find_program(file file REQUIRED)
set(share ${CPACK_TEMPORARY_DIRECTORY}/attnutils/usr/share)
file(MAKE_DIRECTORY ${share}/lintian/overrides)
file(COPY_FILE ${CMAKE_CURRENT_LIST_DIR}/lintian-overrides ${share}/lintian/overrides/attnutils)

# The newest section of CHANGELOG.md in Debian's form.
execute_process(COMMAND sed -n "/^- /,/^## /{/^## /d;s/^- /  * /;s/^  \\([^*]\\)/    \\1/;p}"
                        ${CMAKE_CURRENT_LIST_DIR}/../../CHANGELOG.md
                COMMAND fmt -t -w 79
                OUTPUT_VARIABLE changes COMMAND_ERROR_IS_FATAL ANY)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(changelog ${share}/doc/attnutils/changelog)
file(WRITE ${changelog} "attnutils (${CPACK_DEBIAN_PACKAGE_VERSION}) unstable; urgency=medium\n\n${changes}\n"
                        " -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}\n")
file(GLOB pages ${share}/man/man*/*)
execute_process(COMMAND gzip -9n ${pages} ${changelog} COMMAND_ERROR_IS_FATAL ANY)
# Whatever the umask.
execute_process(COMMAND chmod -R u=rwX,go=rX ${CPACK_TEMPORARY_DIRECTORY}/attnutils COMMAND_ERROR_IS_FATAL ANY)
