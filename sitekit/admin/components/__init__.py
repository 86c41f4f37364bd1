"""Components of the back office and the sign-in pages, built on Chakra."""
