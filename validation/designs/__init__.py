"""The section ``designs``: published HLS designs, from their sources and the vendor's reports."""
