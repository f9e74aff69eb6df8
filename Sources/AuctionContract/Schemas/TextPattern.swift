/// Regular expressions of texts, as they stand in JSON.
enum TextPattern {
    /// One line without control characters and marks of direction.
    static let line = #"^[^\\u0000-\\u001F\\u007F-\\u009F\\u2028-\\u202E\\u2066-\\u2069]*$"#

    /// Lines without control characters and overrides of direction.
    static let prose = #"^[^\\u0000-\\u0008\\u000E-\\u001F\\u007F-\\u0084\\u0086-\\u009F\\u202D\\u202E]*$"#

    /// The same, with a character that shows something.
    static let worded = #"""
        ^[^\\u0000-\\u0008\\u000E-\\u001F\\u007F-\\u0084\\u0086-\\u009F\\u202D\\u202E]*[^\\s\\u0000-\#
        \\u001F\\u007F-\\u009F\\u202D\\u202E][^\\u0000-\\u0008\\u000E-\\u001F\\u007F-\\u0084\\u0086-\#
        \\u009F\\u202D\\u202E]*$
        """#
}
