"""Room validation/rtl."""
