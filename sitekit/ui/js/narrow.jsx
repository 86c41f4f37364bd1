// @ts-check
// Shows its children on screens that are too narrow for the places of the strip; see sitekit/admin/components/address.py.
import { useMediaQuery } from "@chakra-ui/react";

export function Narrow({ children }) {
  const [isNarrow] = useMediaQuery("(max-width: 68.74rem)", { ssr: false });
  return isNarrow ? children : null;
}
