"""Methods that the papers compare with and that are not part of the library."""
