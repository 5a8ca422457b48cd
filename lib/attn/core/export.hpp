#pragma once
// What the shared library exports: the namespace of each door has this attribute. So has that of a .cpp that
// instantiates function templates of a door, as GCC forgets it there.

#define ATTN_API [[gnu::visibility("default")]]
