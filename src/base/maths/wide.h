#pragma once
// An unsigned integer of 128 bits, which gcc and clang have and ISO C does not.
__extension__ typedef unsigned __int128 uint128;
