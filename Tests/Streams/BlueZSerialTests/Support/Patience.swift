import TestSupport

typealias Patience = TestSupport.Patience
